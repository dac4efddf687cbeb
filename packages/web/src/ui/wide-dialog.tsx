import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { TITLE } from './dialog.tsx'

export interface WideDialogProps {
  open: boolean
  /** Called when the person leaves it (Escape, outside, close button). */
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

/** A modal that takes most of the screen, to look at something in. */
export function WideDialog({ open, onClose, title, children }: WideDialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim z-40" />
        <Base.Popup className="pop fixed start-1/2 top-4 z-50 max-h-[calc(100dvh-2rem)] w-[min(64rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto p-4 sm:p-6 rtl:translate-x-1/2">
          <Base.Title className={TITLE}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
