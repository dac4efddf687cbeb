import { HOUR, type Limit } from '../../http/limit.ts'

// The figures are those of the decisions, Accounts.

/** Every one counts. Key: client and the address that was typed, case-folded. */
export const RESET_MAIL: Limit = { name: 'reset_mail', points: 5, duration: HOUR }

/** From all clients together: one stranger's five leave its owner some. Key: the address that was typed. */
export const RESET_MAIL_TARGET: Limit = { name: 'reset_mail_target', points: 20, duration: HOUR }

/** Every one counts. Key: client. */
export const RESET_MAIL_ADDRESS: Limit = { name: 'reset_mail_address', points: 100, duration: HOUR }
