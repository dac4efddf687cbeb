import { HOUR, MINUTES, type Limit } from '../../http/limit.ts'

// The figures are those of the decisions, Accounts.

/** Codes that come without a challenge, or with a wrong one. Key: client and account. */
export const CODE_ACCOUNT: Limit = { name: 'code_account', points: 10, duration: 15 * MINUTES }

/** The same. Key: client. */
export const CODE_ADDRESS: Limit = { name: 'code_address', points: 100, duration: 15 * MINUTES }

/** Wrong codes with the challenge of a password step, whatever the client. Key: account. */
export const CODE_WRONG: Limit = { name: 'code_wrong', points: 20, duration: HOUR }

/** Wrong codes that lean on the client's address alone, whatever the client. Key: account. */
export const CODE_BARE_WRONG: Limit = { name: 'code_bare_wrong', points: 10, duration: HOUR }

/** Wrong codes until the account's owner is told. Key: account. */
export const CODE_TOLD: Limit = { name: 'code_told', points: 20, duration: HOUR }
