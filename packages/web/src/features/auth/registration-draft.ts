import type { z } from 'zod'
import { watchPerson } from '../../lib/session.ts'
import { NO_REGISTRATION, type RegistrationForm } from './registration-fields.ts'

type Fields = z.input<typeof RegistrationForm>

/**
 * What was typed into the registration and not sent: whoever reads the terms before they agree comes back to it. It lives
 * in memory alone and holds no password.
 */
let draft = NO_REGISTRATION

export const readRegistration = (): Fields => draft

export function keepRegistration(fields: Partial<Fields>): void {
  draft = { ...draft, ...fields, password: '', confirm_password: '' }
}

export function forgetRegistration(): void {
  draft = NO_REGISTRATION
}

// It is one person’s: whoever signs in or out after them finds nothing of it.
watchPerson(forgetRegistration)
