import { PATHS } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { Sentence } from '../../ui/sentence.tsx'
import { resendVerificationMail } from './resend-verification.ts'
import { useVerification } from './use-verification.ts'

/** What the link of a verification mail opens. */
export function VerifyEmail({ token }: { token: string }) {
  const { verification, busy, verify } = useVerification(token)
  if (verification.step === 'verified') return <Verified username={verification.username} />
  if (verification.step === 'refused') return <Refused reason={verification.reason} />
  return (
    <FormSheet title={m.verify_email_title()} lead={m.verify_email_text()}>
      <div className="grid gap-5">
        {verification.step === 'failed' && <ErrorBanner>{verification.reason}</ErrorBanner>}
        <Button ref={goOnAtHeading} kind="brand" busy={busy} onClick={() => void verify()} className="min-h-10.5">
          {busy ? m.verify_email_busy() : m.verify_email_submit()}
        </Button>
      </div>
    </FormSheet>
  )
}

/** Whoever reads this need not be the one whose e-mail it was. */
function Verified({ username }: { username: string | undefined }) {
  const session = useSession()
  if (username === undefined)
    return (
      <FormSheet key="verified" title={m.verify_email_done_title()} lead={m.verify_email_before()}>
        <NextStep />
      </FormSheet>
    )
  const other = session.phase === 'signed-in' && session.user.username !== username ? session.user.username : undefined
  return (
    <FormSheet
      key="verified"
      title={other === undefined ? m.verify_email_done_title() : m.verify_email_done_other_title()}
      lead={
        <>
          <Sentence say={(place) => m.verify_email_done_text({ username: place })} text={username} />
          {other !== undefined && (
            <>
              {' '}
              <Sentence say={(place) => m.verify_email_done_other_text({ username: place })} text={other} />
            </>
          )}
        </>
      }
    >
      <NextStep />
    </FormSheet>
  )
}

function Refused({ reason }: { reason: string }) {
  const session = useSession()
  const [busy, run] = useBusy()
  const mayResend = session.phase === 'signed-in' && !session.user.is_email_verified
  return (
    <FormSheet key="refused" title={m.verify_email_failed_title()}>
      <div className="grid gap-5">
        <ErrorBanner>{reason}</ErrorBanner>
        {mayResend ? (
          <Button kind="brand" busy={busy} onClick={() => void run(resendVerificationMail)}>
            {m.verify_email_resend()}
          </Button>
        ) : (
          <>
            {session.phase === 'signed-out' && <p className="text-ink-2">{m.verify_email_failed_hint()}</p>}
            {session.phase === 'signed-in' && (
              <p className="wrap-anywhere text-ink-2">
                <Sentence say={(place) => m.verify_email_already({ email: place })} text={session.user.email} />
              </p>
            )}
            <NextStep />
          </>
        )}
      </div>
    </FormSheet>
  )
}

function NextStep() {
  const isSignedIn = useSession().phase === 'signed-in'
  return (
    <ButtonLink to={isSignedIn ? PATHS.dashboard : PATHS.login} kind="brand" className="min-h-10.5 w-full">
      {isSignedIn ? m.landing_go_to_dashboard() : m.verify_email_to_login()}
    </ButtonLink>
  )
}
