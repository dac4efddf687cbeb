import { makeLateCode, useLateCode } from './late-code.ts'
import type { WideDialogProps } from './wide-dialog-window.tsx'

export const WIDE_DIALOG_WINDOW = makeLateCode(() => import('./wide-dialog-window.tsx'))

/**
 * A modal that takes most of the screen, on a phone all of it, to look at something in. Its code is loaded once the
 * screen stands.
 */
export function WideDialog(props: WideDialogProps) {
  const code = useLateCode(WIDE_DIALOG_WINDOW, props.open)
  return code && <code.default {...props} />
}
