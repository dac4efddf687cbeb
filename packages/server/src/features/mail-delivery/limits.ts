import { MINUTES, type Limit } from '../../http/limit.ts'

/** Test mails. Key: the account. */
export const MAIL_TEST: Limit = { points: 10, duration: 15 * MINUTES }

/** Waiting mails tried at once. Key: the account. */
export const MAIL_RETRY: Limit = { points: 30, duration: 15 * MINUTES }
