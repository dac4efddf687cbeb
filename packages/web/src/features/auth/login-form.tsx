import { zodResolver } from '@hookform/resolvers/zod'
import { logIn } from '@proofdesk/contract/auth'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CodeStep } from './code-step.tsx'
import { signIn, type CodeRequest, type Credentials } from './sign-in.ts'

export interface LoginFormProps {
  /** Already known, e.g. from the registration. */
  username?: string
  /** Where only the password is left to type. */
  startsAtPassword?: boolean
}

/** Signs in. Where it leads then is the guard's business. */
export function LoginForm({ username = '', startsAtPassword = false }: LoginFormProps) {
  const [busy, run] = useBusy()
  const [codeRequest, setCodeRequest] = useState<CodeRequest>()
  const form = useForm({ resolver: zodResolver(logIn.body), defaultValues: { username, password: '' } })
  const { errors } = form.formState
  const { setFocus } = form
  useEffect(() => {
    if (startsAtPassword) setFocus('password')
  }, [startsAtPassword, setFocus])

  async function submit(credentials: Credentials) {
    const outcome = await run(() => attempt(signIn(credentials)))
    if (outcome?.isDone) setCodeRequest(outcome.value)
    else if (outcome) await showNotice({ title: m.login_failed_title(), text: explainFailure(outcome.error) })
  }

  return (
    <>
      <form
        noValidate
        aria-busy={busy}
        className="grid gap-5"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <TextField
          label={m.login_username()}
          error={sayIssue(errors.username?.message)}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...form.register('username')}
        />
        <PasswordField
          label={m.login_password()}
          error={sayIssue(errors.password?.message)}
          autoComplete="current-password"
          required
          {...form.register('password')}
        />
        <Button type="submit" kind="brand" busy={busy} className="mt-1 min-h-10.5">
          {busy ? m.login_busy() : m.login_submit()}
        </Button>
      </form>
      <CodeStep request={codeRequest} onClose={() => setCodeRequest(undefined)} />
    </>
  )
}

/** Any 400 is worded alike (specification section 8). */
function explainFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 400) return m.wrong_credentials()
  return wordsOf(error, m.login_failed())
}
