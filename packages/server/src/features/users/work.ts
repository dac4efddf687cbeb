import { defineWork } from '../../outbox/outbox.ts'

// Done by features to the right.

export const verificationMail = defineWork<{ user_id: number }>('verification_mail')

/** Tells a person at once, in case it was not them. */
export const securityMail = defineWork<{ user_id: number; event: SecurityEvent; taken_back?: readonly TakenBack[] }>(
  'security_mail',
)

/** What a person is told at once, in case it was not them. */
export type SecurityEvent =
  | 'password_changed'
  | 'two_factor_on'
  | 'two_factor_replaced'
  | 'two_factor_off'
  | 'recovery_codes_renewed'
  | 'provider_linked'
  | 'provider_unlinked'
  | 'email_change_undone'
  | 'wrong_passwords'
  | 'wrong_codes'

/** What goes with a change of address that is taken back, where it was set up since. */
export type TakenBack = 'two_factor' | 'recovery_codes' | 'providers'
