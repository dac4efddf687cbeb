import { zodResolver } from '@hookform/resolvers/zod'
import { updateProfile, type Profile } from '@proofdesk/contract/account'
import { isDayToCome, say } from '@proofdesk/contract/fields'
import { PROFILE_DIALOG_MS } from '@proofdesk/contract/limits'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { wordsOf } from '../../lib/error-words.ts'
import { attempt } from '../../lib/attempt.ts'
import { placeFieldErrors } from '../../lib/form-errors.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { refuseUnfinishedDays } from '../../lib/unfinished-days.ts'
import { sayIssue } from '../../lib/words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { goOnAtHeading } from '../../ui/go-on-at-heading.ts'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useUpdateProfile } from './api.ts'

const FIELDS = ['email', 'first_name', 'last_name', 'phone_number', 'birthdate'] as const

const Fields = updateProfile.body
  .required({ email: true })
  .refine(({ birthdate }) => !isDayToCome(birthdate, Date.now()), {
    path: ['birthdate'],
    message: say('birthdate_invalid'),
    when: () => true,
  })

/** What the form holds: the profile with blanks for nothing. */
function toFields({ email, first_name, last_name, phone_number, birthdate }: Profile) {
  return {
    email,
    first_name: first_name ?? '',
    last_name: last_name ?? '',
    phone_number: phone_number ?? '',
    birthdate: birthdate ?? '',
  }
}

/** What was not edited here may have been changed in another tab since, and stays as it is there. */
function pickEdited(
  { email, first_name, last_name, phone_number, birthdate }: z.output<typeof Fields>,
  edited: Partial<Record<(typeof FIELDS)[number], boolean>>,
) {
  return {
    ...(edited.email && { email }),
    ...(edited.first_name && { first_name }),
    ...(edited.last_name && { last_name }),
    ...(edited.phone_number && { phone_number }),
    ...(edited.birthdate && { birthdate }),
  }
}

const Text = z.string().optional()
const Kept = z.object({ email: Text, first_name: Text, last_name: Text, phone_number: Text, birthdate: Text })

/** What was edited and not saved before. Storage outlives deployments, so its shape is checked. */
function readKept(kept: string): z.infer<typeof Kept> {
  try {
    return Kept.safeParse(JSON.parse(kept || '{}')).data ?? {}
  } catch {
    return {}
  }
}

export function ProfileForm({ profile }: { profile: Profile }) {
  const [busy, run] = useBusy()
  const update = useUpdateProfile()
  const form = useForm({
    resolver: refuseUnfinishedDays(zodResolver(Fields)),
    // News from the server reach the fields nobody has touched.
    values: toFields(profile),
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, dirtyFields, isDirty } = form.formState
  const { setValue, subscribe } = form
  const [kept, keep] = useDraft('profile')
  useEffect(() => {
    const edited = readKept(kept)
    for (const name of FIELDS) {
      const value = edited[name]
      if (value !== undefined) setValue(name, value, { shouldDirty: true })
    }
    // Only what stood there when the screen was opened.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [setValue])
  useEffect(() => {
    return subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues: saved }) => {
        const edited = FIELDS.filter((name) => values[name] !== saved?.[name]).map((name) => [name, values[name]])
        keep(edited.length > 0 ? JSON.stringify(Object.fromEntries(edited)) : '')
      },
    })
  }, [subscribe, keep])

  /** @param body Empty fields are null in it (specification section 5). */
  async function submit(body: z.output<typeof Fields>) {
    const outcome = await run(() => attempt(update.mutateAsync(pickEdited(body, dirtyFields))))
    if (!outcome) return
    if (!outcome.isDone) {
      placeFieldErrors(outcome.error, form.setError, FIELDS)
      return showNotice({ title: m.profile_update_failed(), text: wordsOf(outcome.error, m.profile_try_again()) })
    }
    restart(outcome.value)
    await showNotice({ title: m.profile_updated(), tone: 'success', closeAfterMs: PROFILE_DIALOG_MS })
  }

  function restart(saved: Profile) {
    keep('')
    form.reset(toFields(saved), { keepDirtyValues: false })
  }

  function describe(name: (typeof FIELDS)[number]) {
    // What is typed while it is saved would be wiped by what was.
    return { ...form.register(name), error: sayIssue(errors[name]?.message), readOnly: busy }
  }

  return (
    <SectionSheet title={m.profile_form_title()}>
      <form
        noValidate
        aria-busy={busy}
        className="grid gap-5"
        onSubmit={(event) => void form.handleSubmit(submit)(event)}
      >
        <TextField
          label={m.profile_username()}
          hint={m.profile_username_hint()}
          readOnly
          dir="auto"
          className="bg-sunk text-ink-2"
          value={profile.username}
        />
        <TextField
          label={m.profile_email()}
          hint={m.profile_email_hint()}
          type="email"
          autoComplete="email"
          required
          {...describe('email')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={m.profile_first_name()} autoComplete="given-name" {...describe('first_name')} />
          <TextField label={m.profile_last_name()} autoComplete="family-name" {...describe('last_name')} />
          <TextField label={m.profile_phone_number()} type="tel" autoComplete="tel" {...describe('phone_number')} />
          <DateField label={m.profile_birthdate()} type="date" autoComplete="bday" {...describe('birthdate')} />
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button type="submit" kind="brand" busy={busy}>
            {busy ? m.profile_updating() : m.profile_update()}
          </Button>
          {isDirty && (
            <>
              <Button ref={goOnAtHeading} disabled={busy} onClick={() => restart(profile)}>
                {m.profile_discard()}
              </Button>
              <p className="text-sm text-ink-2">{m.profile_unsaved()}</p>
            </>
          )}
        </div>
      </form>
    </SectionSheet>
  )
}
