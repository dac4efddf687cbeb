import { nameClient, type Count } from '../../http/limits.ts'
import { toEmailKey } from '../../text/email-key.ts'
import { DAY, HOUR, MINUTES, type Limit } from '../../http/limit.ts'

// The figures are those of the decisions, Accounts.

/** Key: client and account. */
export const SIGN_IN_ACCOUNT: Limit = { name: 'sign_in_account', points: 10, duration: 15 * MINUTES }

/** Key: client. */
export const SIGN_IN_ADDRESS: Limit = { name: 'sign_in_address', points: 100, duration: 15 * MINUTES }

/**
 * From networks the account was never signed in to from, all together, also within a session: slowed down, never shut.
 * Key: account.
 */
export const SIGN_IN_ELSEWHERE: Limit = { name: 'sign_in_elsewhere', points: 30, duration: HOUR, thenEvery: 10 }

/** Failures wherever they come from, until the account's owner is told. Key: account. */
export const SIGN_IN_TOLD: Limit = { name: 'sign_in_told', points: 100, duration: DAY }

/**
 * Successes: a loop of them would keep the password hash busy. Key: client and account; by the account alone whoever knows
 * the password and not the second factor would keep its owner out.
 */
export const SIGN_IN_SUCCESS: Limit = { name: 'sign_in_success', points: 60, duration: 1 * MINUTES }

/** Every one counts, since each tells whether a name or an address is taken. Key: client. */
export const REGISTRATION: Limit = { name: 'registration', points: 100, duration: HOUR }

/** Every one counts. Key: the account that is mailed. */
export const VERIFICATION_MAIL: Limit = { name: 'verification_mail', points: 5, duration: HOUR }

/** The same, whatever account it is for: anybody may type anybody's address. Key: client and the address that is mailed. */
export const VERIFICATION_MAIL_ASKER: Limit = { name: 'verification_mail_asker', points: 10, duration: HOUR }

/** The same, from all clients together. Key: the address that is mailed. */
export const VERIFICATION_MAIL_TARGET: Limit = { name: 'verification_mail_target', points: 20, duration: HOUR }

/** What every verification mail to an address counts for. @param client Address of who asks for it. */
export function byTarget(email: string, client: string): Count[] {
  const key = toEmailKey(email)
  return [
    { limit: VERIFICATION_MAIL_TARGET, key },
    { limit: VERIFICATION_MAIL_ASKER, key: `${nameClient(client)} ${key}` },
  ]
}
