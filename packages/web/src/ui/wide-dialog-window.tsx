import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { X } from 'lucide-react'
import { useLayer } from '../lib/layers.ts'
import { m } from '../paraglide/messages.js'
import { TITLE } from './dialog-window.tsx'
import { IconButton } from './icon-button.tsx'

export interface WideDialogProps {
  open: boolean
  /** Called when the person leaves it (Escape, outside, Back, close button). */
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** The window of `WideDialog`. */
export default function WideDialogWindow({ open, onClose, title, children }: WideDialogProps) {
  useLayer(open, onClose)
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim z-40" />
        <Base.Popup className="pop fixed inset-0 z-50 m-auto flex flex-col overflow-hidden max-sm:rounded-none sm:h-[calc(100dvh-2rem)] sm:w-[min(76rem,calc(100vw-2rem))]">
          <div className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2">
            <Base.Title className={`${TITLE} min-w-0 grow truncate`}>{title}</Base.Title>
            <IconButton icon={X} framed={false} label={m.close()} onClick={onClose} />
          </div>
          <div className="flex min-h-0 grow flex-col bg-sunk">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
