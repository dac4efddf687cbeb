import { LoginForm } from '../../features/auth/login-form.tsx'
import { ProviderLogin } from '../../features/auth/provider-login.tsx'
import { ResetPassword } from '../../features/auth/reset-password.tsx'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { TextLink } from '../../ui/text-link.tsx'

export default function LoginPage() {
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
        <LoginForm />
        <ProviderLogin />
        <ResetPassword />
      </div>
    </FormSheet>
  )
}
