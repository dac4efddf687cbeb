import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { useLayer } from '../lib/layers.ts'
import { LeadBack } from './lead-back.ts'

export interface DialogProps {
  open: boolean
  /** Called when the person leaves it (Escape, outside, Back, close button). */
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
}

/** The window of `Dialog`. */
export default function DialogWindow({ open, onClose, title, description, children }: DialogProps) {
  useLayer(open, onClose)
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="scrim z-40" />
        <Base.Popup className={POPUP}>
          <LeadBack />
          <Base.Title className={TITLE}>{title}</Base.Title>
          {description && <Base.Description className="mt-2 text-ink-2">{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export const POPUP =
  'pop fixed start-1/2 top-[min(18vh,10rem)] z-50 max-h-[calc(100dvh-6rem)] w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto p-6 rtl:translate-x-1/2'
export const TITLE = 'font-serif text-xl leading-snug font-semibold'
