import { makeLateCode, useLateCode } from './late-code.ts'

export const TOAST_HOST = makeLateCode(() => import('./toast-host.tsx'))

/** The place of toasts, loaded once the screen stands. A toast that comes before waits for it. */
export function Toasts() {
  const code = useLateCode(TOAST_HOST, false)
  return code && <code.ToastHost />
}
