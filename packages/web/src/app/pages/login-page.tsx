import { useLocation } from 'react-router'
import { LoginForm } from '../../features/auth/login-form.tsx'
import { ProviderLogin } from '../../features/auth/provider-login.tsx'
import { ResetPassword } from '../../features/auth/reset-password.tsx'
import { PATHS } from '../../lib/paths.ts'
import { useSession } from '../../lib/session.ts'
import { m } from '../../paraglide/messages.js'
import { WarnBanner } from '../../ui/banner.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { readFrom } from '../guards.tsx'

export default function LoginPage() {
  const session = useSession()
  const { state } = useLocation()
  return (
    <FormSheet
      title={m.login_title()}
      lead={m.login_lead()}
      aside={
        <>
          {m.login_no_account()} <TextLink to={PATHS.register}>{m.login_to_register()}</TextLink>
        </>
      }
    >
      <div className="grid gap-5">
        {session.phase === 'signed-out' && session.wasEnded && (
          <WarnBanner>
            {m.session_ended_title()}. {m.session_ended_text()}
          </WarnBanner>
        )}
        <LoginForm username={readUsername(state)} />
        <ProviderLogin from={readFrom(state)} />
        <ResetPassword />
      </div>
    </FormSheet>
  )
}

/** As the registration handed it over. History state outlives reloads and deployments, so its shape is checked. */
function readUsername(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('username' in state)) return ''
  return typeof state.username === 'string' ? state.username : ''
}
