import { MINUTES, type Limit } from '../../http/limit.ts'

/** Test mails. Key: the account. */
export const MAIL_TEST: Limit = { name: 'mail_test', points: 10, duration: 15 * MINUTES }

/** Records looked up. Key: the account. */
export const MAIL_RECORDS: Limit = { name: 'mail_records', points: 30, duration: 15 * MINUTES }

/** Waiting mails tried at once. Key: the account. */
export const MAIL_RETRY: Limit = { name: 'mail_retry', points: 30, duration: 15 * MINUTES }
