import { zodResolver } from '@hookform/resolvers/zod'
import { register } from '@proofdesk/contract/auth'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { fieldMessagesOf } from '../../lib/api-error.ts'
import { attempt } from '../../lib/attempt.ts'
import { call } from '../../lib/call.ts'
import { placeFieldErrors } from '../../lib/form-errors.ts'
import { PATHS } from '../../lib/paths.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { refuseUnfinishedDays } from '../../lib/unfinished-days.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { forgetRegistration, keepRegistration, leaveRegistration, readRegistration } from './registration-draft.ts'
import {
  type NO_REGISTRATION,
  REGISTRATION_FIELDS,
  RegistrationForm,
  withoutRepetition,
} from './registration-fields.ts'

/** Makes an account, says so, and goes on to the sign-in. A failure keeps all that was typed. */
export function RegisterForm() {
  const navigate = useNavigate()
  const [busy, run] = useBusy()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    resolver: refuseUnfinishedDays(zodResolver(RegistrationForm)),
    defaultValues: readRegistration(),
  })
  const { errors } = form.formState
  const [isBegun, setIsBegun] = useState(() => hasBegun(readRegistration()))
  useUnsaved(isBegun)
  useEffect(() => {
    return leaveRegistration
  }, [])
  useEffect(() => {
    const take = (values: typeof NO_REGISTRATION) => {
      keepRegistration(values)
      setIsBegun(hasBegun(values))
    }
    return form.subscribe({ formState: { values: true }, callback: ({ values }) => take(values) })
  }, [form])

  async function submit(fields: z.output<typeof RegistrationForm>) {
    setFailure(undefined)
    const outcome = await run(() => attempt(call(register, { body: withoutRepetition(fields) })))
    if (!outcome) return
    if (!outcome.isDone) return tellFailure(outcome.error)
    forgetRegistration()
    setIsBegun(false)
    const text = m.register_done_text({ email: fields.email })
    await showNotice({ title: m.register_done_title(), text, tone: 'success' })
    await navigate(PATHS.login, { state: { username: fields.username } })
  }

  async function tellFailure(error: unknown) {
    const text = explainFailure(error)
    setFailure(text)
    await showNotice({ title: m.register_failed_title(), text })
    placeFieldErrors(error, form.setError, REGISTRATION_FIELDS)
  }

  function describe(name: keyof typeof NO_REGISTRATION) {
    return { ...form.register(name), error: sayIssue(errors[name]?.message) }
  }

  return (
    <form
      noValidate
      aria-busy={busy}
      className="grid gap-5"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      {failure && <ErrorBanner>{failure}</ErrorBanner>}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label={m.register_first_name()} autoComplete="given-name" required {...describe('first_name')} />
        <TextField label={m.register_last_name()} autoComplete="family-name" required {...describe('last_name')} />
        <TextField label={m.register_email()} type="email" autoComplete="email" required {...describe('email')} />
        <TextField
          label={m.register_username()}
          hint={m.register_username_hint()}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...describe('username')}
        />
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
        <TextField
          label={m.register_phone_number()}
          type="tel"
          autoComplete="tel"
          required
          {...describe('phone_number')}
        />
        <DateField
          label={m.register_birthdate()}
          hint={m.optional()}
          type="date"
          autoComplete="bday"
          {...describe('birthdate')}
        />
      </div>
      <Button type="submit" kind="brand" busy={busy} className="mt-1 min-h-10.5 sm:justify-self-start sm:px-8">
        {busy ? m.register_busy() : m.register_submit()}
      </Button>
    </form>
  )
}

function hasBegun(fields: typeof NO_REGISTRATION): boolean {
  return Object.values(fields).some((value) => value !== '')
}

function explainFailure(error: unknown): string {
  const messages = Object.values(fieldMessagesOf(error)).flat().join(' ')
  return m.register_failed({ messages: messages || m.register_try_later() })
}
