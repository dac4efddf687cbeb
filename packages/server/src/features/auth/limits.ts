import { limitMails } from '../../http/mail-limits.ts'
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

/** The same, whatever account it is for: anybody may type anybody's address. */
export const VERIFICATION_MAILS = limitMails('verification_mail', 10)
