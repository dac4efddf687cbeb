import type { Role } from '@proofdesk/contract/users'
import { defineEvents } from '../../events/event.ts'
import { securityMail, verificationMail } from './work.ts'

/** How an account came to be. */
export type AccountOrigin = 'registration' | 'provider' | 'setup' | 'shell'

export const userEvents = defineEvents({
  account_created: (
    { id, is_email_verified }: { id: number; is_email_verified: boolean },
    facts: { role: Role; origin: AccountOrigin },
  ) => ({
    audit: { actor: facts.origin === 'shell' ? null : id, object: { kind: 'user', id }, details: facts },
    work: is_email_verified ? [] : [verificationMail({ user_id: id })],
  }),
  /** From the shell. */
  user_erased: (id: number) => ({ audit: { actor: null, object: { kind: 'user', id } } }),
  /** Many have tried to get into an account. */
  owner_warned: (user: number, event: 'wrong_passwords' | 'wrong_codes') => ({
    work: [securityMail({ user_id: user, event })],
  }),
})
