import { zodResolver } from '@hookform/resolvers/zod'
import { checkSetupLink, setUp } from '@proofdesk/contract/auth'
import { say } from '@proofdesk/contract/fields'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { placeFieldErrors } from '../../lib/form-errors.ts'
import { PATHS } from '../../lib/paths.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DeadLink } from './dead-link.tsx'
import { signIn } from './sign-in.ts'
import { useLinkCheck } from './use-link-check.ts'

const SetupFields = setUp.body
  .omit({ token: true })
  .extend({ confirm_password: z.string().min(1, say('field_required')) })
  .refine(({ password, confirm_password }) => password === confirm_password, {
    path: ['confirm_password'],
    message: say('passwords_do_not_match'),
    when: () => true,
  })

const NOTHING = { username: '', email: '', password: '', confirm_password: '' }

/** The form behind the printed link; a link that does not work says so in its place. */
export function SetUp({ token }: { token: string }) {
  const refusal = useLinkCheck(checkSetupLink, token)
  if (refusal) return <DeadLink reason={refusal} />
  return (
    <FormSheet title={m.setup_title()} lead={m.setup_lead()}>
      <SetupForm token={token} />
    </FormSheet>
  )
}

/** Makes the first superuser with the one-time token of the printed link, and signs them in. */
function SetupForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const [failure, setFailure] = useState<string>()
  const form = useForm({ resolver: zodResolver(SetupFields), defaultValues: NOTHING })
  const { errors } = form.formState

  async function submit({ username, email, password }: z.output<typeof SetupFields>) {
    setFailure(undefined)
    try {
      await call(setUp, { body: { token, username, email, password } })
    } catch (error) {
      const isPlaced = placeFieldErrors(error, form.setError, ['username', 'email', 'password'])
      if (!isPlaced) setFailure(wordsOf(error, m.setup_failed()))
      return
    }
    try {
      await signIn({ username, password })
      await navigate(PATHS.dashboard, { replace: true })
    } catch {
      // The account is there; only signing in did not work, and that screen can say why.
      await navigate(PATHS.login, { replace: true })
    }
  }

  function describe(name: keyof typeof NOTHING) {
    return { ...form.register(name), error: sayIssue(errors[name]?.message) }
  }

  return (
    <form
      noValidate
      aria-busy={busy}
      className="grid gap-5"
      onSubmit={(event) => void form.handleSubmit((fields) => run(() => submit(fields)))(event)}
    >
      {failure && <ErrorBanner>{failure}</ErrorBanner>}
      <TextField
        label={m.register_username()}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...describe('username')}
      />
      <TextField label={m.register_email()} type="email" autoComplete="email" required {...describe('email')} />
      <PasswordField
        label={m.register_password()}
        hint={errors.password ? undefined : m.register_password_hint()}
        autoComplete="new-password"
        required
        {...describe('password')}
      />
      <PasswordField
        label={m.register_confirm_password()}
        autoComplete="new-password"
        required
        {...describe('confirm_password')}
      />
      <Button type="submit" kind="brand" busy={busy} className="mt-1 min-h-10.5">
        {busy ? m.setup_busy() : m.setup_submit()}
      </Button>
    </form>
  )
}
