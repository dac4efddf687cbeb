import { RegisterForm } from '../../features/auth/register-form.tsx'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { TextLink } from '../../ui/text-link.tsx'

export default function RegisterPage() {
  return (
    <FormSheet
      wide
      title={m.register_title()}
      lead={m.register_lead()}
      aside={
        <>
          {m.register_have_account()} <TextLink to={PATHS.login}>{m.register_to_login()}</TextLink>
        </>
      }
    >
      <RegisterForm />
    </FormSheet>
  )
}
