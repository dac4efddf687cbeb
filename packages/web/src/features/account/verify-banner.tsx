import { useEffect } from 'react'
import { reloadUser } from '../../lib/session-calls.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { WarnBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { resendVerificationMail } from './resend-verification.ts'

/** The mail is often opened elsewhere. Where no live stream tells of that, coming back here asks. */
function useReloadOnReturn(): void {
  useEffect(() => {
    const reload = () => void reloadUser()
    addEventListener('focus', reload)
    return () => removeEventListener('focus', reload)
  }, [])
}

/**
 * Stands on every screen until the e-mail is verified.
 * @param isAtLink On the screen that a mailed link opens: another mail would make that very link worthless.
 */
export function VerifyBanner({ isAtLink }: { isAtLink: boolean }) {
  const [busy, run] = useBusy()
  useReloadOnReturn()
  return (
    <WarnBanner
      action={
        !isAtLink && (
          <Button busy={busy} onClick={() => void run(resendVerificationMail)}>
            {m.verify_banner_resend()}
          </Button>
        )
      }
    >
      {m.verify_banner()}
    </WarnBanner>
  )
}
