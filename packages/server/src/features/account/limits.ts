import { HOUR, type Limit } from '../../http/limit.ts'
import { limitMails } from '../../http/mail-limits.ts'

// The figures are those of the decisions, Accounts.

/** Mailed links to a new password. */
export const RESET_MAILS = limitMails('reset_mail', 5)

/** Every one counts. Key: client. */
export const RESET_MAIL_ADDRESS: Limit = { name: 'reset_mail_address', points: 100, duration: HOUR }
