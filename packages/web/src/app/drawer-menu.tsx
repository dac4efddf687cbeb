import type { UserInfo } from '@proofdesk/contract/users'
import { Menu } from 'lucide-react'
import { useState } from 'react'
import { m } from '../paraglide/messages.js'
import { IconButton } from '../ui/icon-button.tsx'
import { makeLateCode, useLateCode } from '../ui/late-code.ts'

export const WORKING_DRAWER = makeLateCode(() => import('./working-drawer.tsx'))

/**
 * The sidebar of a phone: a drawer behind a button of the top bar. What opens is loaded once the screen stands; a button
 * pressed before that opens then.
 */
export function DrawerMenu({ user, onPalette }: { user: UserInfo; onPalette: () => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const code = useLateCode(WORKING_DRAWER, isOpen)
  const trigger = { icon: Menu, label: m.nav_open_menu(), className: 'lg:hidden' }
  if (code) {
    return (
      <code.WorkingDrawer
        user={user}
        onPalette={onPalette}
        isOpen={isOpen}
        onToggle={setIsOpen}
        trigger={<IconButton {...trigger} />}
        takesFocus={hasFocus}
      />
    )
  }
  return (
    <IconButton
      {...trigger}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setIsOpen(true)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    />
  )
}
