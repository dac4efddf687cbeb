import type { UserInfo } from '@proofdesk/contract/users'
import { Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { COMMAND_KEY, useCommandShortcut } from '../lib/use-shortcut.ts'
import { m } from '../paraglide/messages.js'
import { IconButton } from '../ui/icon-button.tsx'
import { loadLazily } from '../ui/lazy-code.tsx'
import { RenderBoundary } from './render-boundary.tsx'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = loadLazily(loadPalette)

/** For those who point; its code comes while they are on the way. */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <IconButton
      icon={Search}
      label={m.palette_open({ keys: `${COMMAND_KEY.name}+K` })}
      aria-haspopup="dialog"
      aria-keyshortcuts={`${COMMAND_KEY.code}+K`}
      onPointerEnter={() => void loadPalette().catch(() => {})}
      onClick={onOpen}
      className="max-sm:hidden"
    />
  )
}

export interface PaletteGateProps {
  user: UserInfo
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Opens the way to any screen by Ctrl+K, on a Mac by Command+K. Loaded when it is first asked for. */
export function PaletteGate({ user, isOpen, onOpenChange }: PaletteGateProps) {
  const [wasOpened, setWasOpened] = useState(false)
  if (isOpen && !wasOpened) setWasOpened(true)
  useCommandShortcut('k', () => onOpenChange(true))
  return (
    <RenderBoundary>
      <Suspense>
        {wasOpened && <CommandPalette user={user} isOpen={isOpen} onClose={() => onOpenChange(false)} />}
      </Suspense>
    </RenderBoundary>
  )
}
