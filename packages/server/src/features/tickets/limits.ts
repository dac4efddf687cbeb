import { HOUR, type Limit } from '../../http/limit.ts'
import { limitMails } from '../../http/mail-limits.ts'

/** Tickets of visitors. Key: client address. */
export const TICKET_ADDRESS: Limit = { name: 'ticket_address', points: 100, duration: HOUR }

/** The same, by the e-mail address that was typed: they come into its owner's list, from however many places. */
export const TICKET_VISITORS = limitMails('ticket_visitors', 20)

/** Tickets of people. Key: the account. */
export const TICKET_ACCOUNT: Limit = { name: 'ticket_account', points: 100, duration: HOUR }

/** Messages of askers. Key: the account or the visitor's cookie. */
export const TICKET_MESSAGE: Limit = { name: 'ticket_message', points: 200, duration: HOUR }

/** Mailed links to tickets. Key: client address. */
export const TICKET_LINK_ADDRESS: Limit = { name: 'ticket_link_address', points: 60, duration: HOUR }

/** The same. */
export const TICKET_LINK_MAILS = limitMails('ticket_link', 5)
