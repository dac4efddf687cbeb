import { resendVerification, type Profile } from '@proofdesk/contract/account'
import { PROFILE_DIALOG_MS } from '@proofdesk/contract/limits'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { EmailBadge } from '../../ui/email-badge.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { Sentence } from '../../ui/sentence.tsx'

export function EmailVerification({ profile }: { profile: Profile }) {
  const [busy, run] = useBusy()

  async function resend() {
    const outcome = await run(() => attempt(call(resendVerification, { body: {} })))
    if (!outcome) return
    if (!outcome.isDone)
      return showNotice({ title: m.verify_mail_failed(), text: wordsOf(outcome.error, m.profile_try_again()) })
    await showNotice({ title: m.verification_mail_sent(), tone: 'success', closeAfterMs: PROFILE_DIALOG_MS })
  }

  const say = profile.is_email_verified ? m.email_section_verified : m.email_section_unverified
  return (
    <SectionSheet title={m.email_section_title()} mark={<EmailBadge isVerified={profile.is_email_verified} />}>
      <div className="grid justify-items-start gap-4">
        <p className="wrap-anywhere text-ink-2">
          <Sentence say={(place) => say({ email: place })} text={profile.email} />
        </p>
        {!profile.is_email_verified && (
          <Button busy={busy} onClick={() => void resend()}>
            {m.email_section_resend()}
          </Button>
        )}
      </div>
    </SectionSheet>
  )
}
