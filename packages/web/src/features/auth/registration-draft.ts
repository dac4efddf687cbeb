import type { z } from 'zod'
import { watchPerson } from '../../lib/session.ts'
import { NO_REGISTRATION, type RegistrationForm } from './registration-fields.ts'

type Fields = z.input<typeof RegistrationForm>

/**
 * What was typed into the registration and not sent: whoever reads the terms before they agree comes back to it. It lives
 * in memory alone and holds no password.
 */
let draft = NO_REGISTRATION

const KEPT_MS = 10 * 60_000
let leftAt: number | undefined

export function readRegistration(): Fields {
  if (leftAt !== undefined && Date.now() - leftAt > KEPT_MS) forgetRegistration()
  return draft
}

/** The next visitor of a shared browser finds nothing of one who has not come back for ten minutes. */
export function leaveRegistration(): void {
  leftAt = Date.now()
}

export function keepRegistration(fields: Partial<Fields>): void {
  leftAt = undefined
  draft = { ...draft, ...fields, password: '', confirm_password: '' }
}

export function forgetRegistration(): void {
  draft = NO_REGISTRATION
}

// It is one person’s: whoever signs in or out after them finds nothing of it.
watchPerson(forgetRegistration)
