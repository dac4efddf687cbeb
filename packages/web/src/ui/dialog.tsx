import type { ReactNode } from 'react'
import { makeLateCode, useLateCode } from './late-code.ts'
import type { DialogProps } from './dialog-window.tsx'

export const DIALOG_WINDOW = makeLateCode(() => import('./dialog-window.tsx'))

/**
 * A modal with a title. Focus goes to the first field, and back to where it was when it closes. Its code is loaded once
 * the screen stands.
 */
export function Dialog(props: DialogProps) {
  const code = useLateCode(DIALOG_WINDOW, props.open)
  return code && <code.default {...props} />
}

/** The row of buttons at the end of a dialog: the way out first, the act last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>
}
