import { HOUR, type Limit } from '../../http/limit.ts'

/** Tickets of visitors. Key: client address. */
export const TICKET_ADDRESS: Limit = { points: 100, duration: HOUR }

/** The same. Key: the visitor's e-mail address. */
export const TICKET_VISITOR: Limit = { points: 30, duration: HOUR }

/** Tickets of people. Key: the account. */
export const TICKET_ACCOUNT: Limit = { points: 100, duration: HOUR }

/** Messages of askers. Key: the account or the visitor's cookie. */
export const TICKET_MESSAGE: Limit = { points: 200, duration: HOUR }

/** Mailed links to tickets. Key: client address. */
export const TICKET_LINK_ADDRESS: Limit = { points: 60, duration: HOUR }

/** The same. Key: client and the address that is mailed. */
export const TICKET_LINK_ASKER: Limit = { points: 5, duration: HOUR }

/** The same, from all clients together. Key: the address that is mailed. */
export const TICKET_LINK_TARGET: Limit = { points: 20, duration: HOUR }
