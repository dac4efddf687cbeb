import { resendVerification } from '@proofdesk/contract/account'
import { wordsOf } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { useBusy } from '../lib/use-busy.ts'
import { m } from '../paraglide/messages.js'
import { WarnBanner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast.ts'

/** Stands on every screen until the e-mail is verified. */
export function VerifyBanner() {
  const [busy, run] = useBusy()

  async function resend() {
    try {
      await call(resendVerification, { body: {} })
      showToast(m.verification_mail_sent())
    } catch (error) {
      showToast(wordsOf(error, m.verify_mail_failed()), 'error')
    }
  }

  return (
    <WarnBanner
      action={
        <Button busy={busy} onClick={() => void run(resend)}>
          {m.verify_banner_resend()}
        </Button>
      }
    >
      {m.verify_banner()}
    </WarnBanner>
  )
}
