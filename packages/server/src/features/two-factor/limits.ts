import { HOUR, MINUTES, type Limit } from '../../http/limit.ts'

// The figures are those of the decisions, Accounts.

/** Codes that come without a challenge, or with a wrong one. Key: client and account. */
export const CODE_ACCOUNT: Limit = { points: 10, duration: 15 * MINUTES }

/** The same. Key: client. */
export const CODE_ADDRESS: Limit = { points: 100, duration: 15 * MINUTES }

/** Wrong codes with the challenge of a password step, whatever the client. Key: account. */
export const CODE_WRONG: Limit = { points: 20, duration: HOUR }

/** Wrong codes that lean on the client's address alone, whatever the client. Key: account. */
export const CODE_BARE_WRONG: Limit = { points: 10, duration: HOUR }

/** Wrong codes until the account's owner is told. Key: account. */
export const CODE_TOLD: Limit = { points: 20, duration: HOUR }
