import type { ReactNode } from 'react'
import { makeLateCode, useLateCode } from './late-code.ts'

export interface WideDialogProps {
  open: boolean
  /** Called when the person leaves it (Escape, outside, close button). */
  onClose: () => void
  title: ReactNode
  children: ReactNode
}

export const WIDE_DIALOG_WINDOW = makeLateCode(() => import('./wide-dialog-window.tsx'))

/**
 * A modal that takes most of the screen, on a phone all of it, to look at something in. Its code is loaded once the
 * screen stands.
 */
export function WideDialog(props: WideDialogProps) {
  const code = useLateCode(WIDE_DIALOG_WINDOW, props.open)
  return code && <code.default {...props} />
}
