import { zodResolver } from '@hookform/resolvers/zod'
import { changePassword } from '@proofdesk/contract/account'
import { say } from '@proofdesk/contract/fields'
import { PROFILE_DIALOG_MS } from '@proofdesk/contract/limits'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import { addWait, wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { placeFieldErrors } from '../../lib/form-errors.ts'
import { useUser } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { useChangePassword } from './api.ts'

const Fields = changePassword.body
  .extend({ confirm_password: z.string().min(1, say('field_required')) })
  .refine(({ new_password, confirm_password }) => new_password === confirm_password, {
    path: ['confirm_password'],
    message: say('new_passwords_do_not_match'),
    when: () => true,
  })

const NOTHING = { old_password: '', new_password: '', confirm_password: '' }

export function ChangePassword() {
  const { username } = useUser()
  const [busy, run] = useBusy()
  const change = useChangePassword()
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: NOTHING })
  const { errors } = form.formState

  async function submit({ old_password, new_password }: z.output<typeof Fields>) {
    const outcome = await run(() => attempt(change.mutateAsync({ old_password, new_password })))
    if (!outcome) return
    if (!outcome.isDone) {
      placeFieldErrors(outcome.error, form.setError, ['old_password', 'new_password'])
      return showNotice({ title: m.password_change_failed(), text: explainFailure(outcome.error) })
    }
    form.reset(NOTHING)
    await showNotice({ title: m.password_changed(), tone: 'success', closeAfterMs: PROFILE_DIALOG_MS })
  }

  function describe(name: keyof typeof NOTHING) {
    return { ...form.register(name), error: sayIssue(errors[name]?.message), required: true }
  }

  return (
    <SectionSheet title={m.password_title()} lead={m.password_lead()}>
      <form
        noValidate
        aria-busy={busy}
        className="grid gap-5"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        {/* For password managers, which otherwise do not know whose password this is. */}
        <input type="text" hidden readOnly autoComplete="username" value={username} />
        <PasswordField label={m.profile_old_password()} autoComplete="current-password" {...describe('old_password')} />
        <PasswordField
          label={m.profile_new_password()}
          hint={errors.new_password ? undefined : m.register_password_hint()}
          autoComplete="new-password"
          {...describe('new_password')}
        />
        <PasswordField
          label={m.profile_confirm_password()}
          autoComplete="new-password"
          {...describe('confirm_password')}
        />
        <Button type="submit" kind="brand" busy={busy} className="justify-self-start">
          {busy ? m.password_changing() : m.password_change()}
        </Button>
      </form>
    </SectionSheet>
  )
}

/** The error field's text (specification section 8). */
function explainFailure(error: unknown): string {
  const text = error instanceof ApiError ? error.body['error'] : undefined
  return typeof text === 'string' && text ? addWait(error, text) : wordsOf(error, m.profile_try_again())
}
