import { zodResolver } from '@hookform/resolvers/zod'
import { checkResetLink, confirmReset } from '@proofdesk/contract/account'
import { say } from '@proofdesk/contract/fields'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { keepDoneLink, useDoneLink } from '../../lib/done-link.ts'
import { placeFieldErrors } from '../../lib/form-errors.ts'
import { PATHS } from '../../lib/paths.ts'
import { endSession, readSession } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormSheet } from '../../ui/form-sheet.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { DeadLink } from './dead-link.tsx'
import { useLinkCheck } from './use-link-check.ts'

const Fields = confirmReset.body
  .omit({ token: true })
  .extend({ confirm_password: z.string().min(1, say('field_required')) })
  .refine(({ new_password, confirm_password }) => new_password === confirm_password, {
    path: ['confirm_password'],
    message: say('passwords_do_not_match'),
    when: () => true,
  })

/** What the link of a reset mail opens. The link is used up by the form, not by opening it. */
export function NewPassword({ token }: { token: string }) {
  const username = useDoneLink(token)
  if (username === undefined) return <UnusedLink token={token} />
  return (
    <FormSheet
      key="done"
      title={m.new_password_done_title()}
      lead={<Sentence say={(place) => m.new_password_done_text({ username: place })} text={username} />}
    >
      <ButtonLink to={PATHS.login} kind="brand" className="min-h-10.5 w-full">
        {m.new_password_to_login()}
      </ButtonLink>
    </FormSheet>
  )
}

function UnusedLink({ token }: { token: string }) {
  const refusal = useLinkCheck(checkResetLink, token)
  if (refusal) return <DeadLink reason={refusal} hint={m.reset_link_hint()} />
  return (
    <FormSheet title={m.new_password_title()} lead={m.new_password_lead()}>
      <NewPasswordForm token={token} />
    </FormSheet>
  )
}

function NewPasswordForm({ token }: { token: string }) {
  const [busy, run] = useBusy()
  const [failure, setFailure] = useState<string>()
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { new_password: '', confirm_password: '' } })
  const { errors } = form.formState

  async function submit({ new_password }: z.output<typeof Fields>) {
    setFailure(undefined)
    try {
      const { username } = await call(confirmReset, { body: { token, new_password } })
      keepDoneLink({ token, username })
      // The server has just ended every session of theirs.
      const session = readSession()
      if (session.phase === 'signed-in' && session.user.username === username) endSession()
    } catch (error) {
      if (!placeFieldErrors(error, form.setError, ['new_password'])) setFailure(wordsOf(error, m.reset_failed()))
    }
  }

  return (
    <form
      ref={goOnAtHeading}
      noValidate
      aria-busy={busy}
      className="grid gap-5"
      onSubmit={(event) => void form.handleSubmit((fields) => run(() => submit(fields)))(event)}
    >
      {failure && <ErrorBanner>{failure}</ErrorBanner>}
      <PasswordField
        label={m.profile_new_password()}
        hint={errors.new_password ? undefined : m.register_password_hint()}
        error={sayIssue(errors.new_password?.message)}
        autoComplete="new-password"
        required
        {...form.register('new_password')}
      />
      <PasswordField
        label={m.profile_confirm_password()}
        error={sayIssue(errors.confirm_password?.message)}
        autoComplete="new-password"
        required
        {...form.register('confirm_password')}
      />
      <Button type="submit" kind="brand" busy={busy} className="mt-1 min-h-10.5">
        {m.new_password_submit()}
      </Button>
    </form>
  )
}
