import { MINUTES, type Limit } from '../../http/limit.ts'

// The figures are those of the decisions, Accounts.

/** Browsers sent to an identity provider; every one counts. Key: client. */
export const PROVIDER_START: Limit = { name: 'provider_start', points: 100, duration: 15 * MINUTES }
