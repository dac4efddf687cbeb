import { z } from 'zod'
import {
  Email,
  GivenEmail,
  exactText,
  filledLine,
  filledText,
  FlagQuery,
  Id,
  IdParams,
  IdQuery,
  say,
  Time,
  Token,
} from './fields.ts'
import {
  MESSAGES_MAX_PER_TICKET,
  SEARCH_MAX_LENGTH,
  TICKET_MESSAGE_MAX_LENGTH,
  TICKET_TITLE_MAX_LENGTH,
} from './limits.ts'
import { OrderingQuery, pageOf, PageQuery, searchPageOf } from './paging.ts'
import { route } from './route.ts'
import { TicketStatus } from './status.ts'

export const Ticket = z.object({
  id: Id,
  /** The same number; the specification names it twice. */
  ticket_id: Id,
  title: z.string(),
  status: TicketStatus,
  /** Closed: no message is taken. */
  is_locked: z.boolean(),
  /** Of who asks; null for a visitor, who has an address only. */
  username: z.string().nullable(),
  email: z.string(),
  /** Who has taken it by answering first; null while nobody has who can still answer. */
  admin_username: z.string().nullable(),
  /** Whether the caller is the one who asks. */
  is_own: z.boolean(),
  is_unread: z
    .boolean()
    .describe(
      'There is a message the caller has not seen; for those who answer also a new ticket, unless another took it or it is closed.',
    ),
  created_at: Time,
  may: z.object({ write: z.boolean(), close: z.boolean() }).describe('What the caller may do with it now.'),
})
export type Ticket = z.infer<typeof Ticket>

export const TicketMessage = z.object({
  id: Id,
  text: z.string(),
  /** Null for a visitor. */
  username: z.string().nullable(),
  /** An answer, as opposed to words of who asks. */
  is_admin: z.boolean(),
  created_at: Time,
  may: z.object({}).describe('What the caller may do with it: nothing, a message stays as it is.'),
})
export type TicketMessage = z.infer<typeof TicketMessage>

export const TicketTitle = filledLine('ticket_title_required')
  .refine((text) => text.length <= TICKET_TITLE_MAX_LENGTH, say('ticket_title_too_long'))
  .meta({ minLength: 1, maxLength: TICKET_TITLE_MAX_LENGTH, examples: ['Lost seal'] })

export const TicketMessageText = filledText('ticket_message_empty')
  .refine((text) => text.length <= TICKET_MESSAGE_MAX_LENGTH, say('ticket_message_too_long'))
  .meta({ minLength: 1, maxLength: TICKET_MESSAGE_MAX_LENGTH, examples: ['The seal of page 2 is missing.'] })

/** The address a visitor goes by. It opens nothing by itself; signed-in people leave it out. */
const VisitorQuery = z.object({
  email: GivenEmail.optional().describe('A visitor’s address; signed-in people leave it out.'),
})

export const listTickets = route({
  method: 'GET',
  path: '/ticket/',
  summary:
    'All tickets for staff, admin and superuser; own ones for others; a visitor’s by cookie and address. Ten a page.',
  access: 'optional',
  query: VisitorQuery.extend({
    page: PageQuery,
    search: exactText
      .max(SEARCH_MAX_LENGTH, say('search_too_long'))
      .meta({
        description:
          'In usernames for staff, in those of answerers too for admin and superuser, in titles for everyone else.',
      })
      .optional(),
    status: TicketStatus.optional(),
    is_locked: FlagQuery.optional(),
    ordering: OrderingQuery(['created_at', 'title', 'status']),
  }),
  response: searchPageOf(Ticket),
  errors: ['page_not_found', 'read_timed_out'],
})

export const countTickets = route({
  method: 'GET',
  path: '/ticket/counts/',
  summary: 'How many tickets each filter tile holds, for the same caller as the list.',
  access: 'optional',
  query: VisitorQuery,
  response: z.object({
    OPEN: z.int().min(0),
    IN_PROGRESS: z.int().min(0),
    ANSWERED: z.int().min(0),
    CLOSED: z.int().min(0),
    all: z.int().min(0),
  }),
  errors: [],
})

export const createTicket = route({
  method: 'POST',
  path: '/ticket/',
  summary: 'Opens a ticket. A visitor names an address and gets the cookie that opens the ticket again.',
  access: 'optional',
  isMadeOnce: true,
  query: VisitorQuery.extend({
    email: Email.optional().describe('A visitor’s address; signed-in people leave it out.'),
  }),
  body: z.object({ title: TicketTitle }),
  response: Ticket,
  status: 201,
  errors: ['ticket_not_found', 'forbidden', 'foreign_origin', 'rate_limited'],
})

export const showTicket = route({
  method: 'GET',
  path: '/ticket/:id/',
  summary: 'One ticket. 404 when it is missing or not the caller’s to see.',
  access: 'optional',
  params: IdParams,
  query: VisitorQuery,
  response: Ticket,
  errors: ['ticket_not_found'],
})

export const changeTicket = route({
  method: 'PATCH',
  path: '/ticket/:id/',
  summary: 'Closes or reopens a ticket: whoever took it, or a superuser.',
  access: 'bearer',
  params: IdParams,
  body: z.object({ is_locked: z.boolean({ error: say('flag_invalid') }) }),
  response: Ticket,
  errors: ['ticket_not_found', 'forbidden', 'email_not_verified', 'ticket_not_allowed', 'ticket_taken'],
})

export const markTicketRead = route({
  method: 'POST',
  path: '/ticket/:id/read/',
  summary: 'Says how many messages of a ticket the caller has seen.',
  access: 'optional',
  params: IdParams,
  query: VisitorQuery,
  body: z.object({
    seen: z
      .int()
      .min(0)
      .max(MESSAGES_MAX_PER_TICKET)
      .meta({ examples: [2] }),
  }),
  response: Ticket,
  errors: ['ticket_not_found', 'foreign_origin'],
})

export const requestTicketLink = route({
  method: 'POST',
  path: '/ticket/link/',
  summary: 'Mails a visitor a link to their tickets; answers alike whether or not the address has any.',
  access: 'public',
  body: z.object({ email: GivenEmail }),
  response: z.object({ detail: z.string() }),
  errors: ['foreign_origin', 'rate_limited'],
})

export const openTicketSession = route({
  method: 'POST',
  path: '/ticket/session/',
  summary: 'Uses up the token of a mailed link: this browser’s cookie opens the tickets of its address from now on.',
  access: 'public',
  body: z.object({ token: Token }),
  response: z.object({ email: z.string() }),
  errors: ['foreign_origin', 'link_invalid'],
})

export const closeTicketSession = route({
  method: 'DELETE',
  path: '/ticket/session/',
  summary: 'Makes this browser’s cookie open no visitor’s tickets any more, on a shared machine. Repeating it is fine.',
  access: 'public',
  status: 204,
  errors: ['foreign_origin'],
})

export const listMessages = route({
  method: 'GET',
  path: '/conversation/',
  summary: 'All messages of one ticket, oldest first.',
  access: 'optional',
  query: VisitorQuery.extend({ ticket_id: IdQuery }),
  response: pageOf(TicketMessage),
  errors: ['ticket_not_found'],
})

export const createMessage = route({
  method: 'POST',
  path: '/conversation/',
  summary: 'Adds a message to a ticket that is not closed.',
  access: 'optional',
  isMadeOnce: true,
  query: VisitorQuery,
  body: z.object({ text: TicketMessageText, ticket: Id }),
  response: TicketMessage,
  status: 201,
  errors: [
    'ticket_not_found',
    'ticket_closed',
    'ticket_taken',
    'ticket_not_allowed',
    'email_not_verified',
    'forbidden',
    'conversation_full',
    'rate_limited',
    'foreign_origin',
  ],
})
