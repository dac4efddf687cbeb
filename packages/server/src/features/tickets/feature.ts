import type { Db } from '../../db/open.ts'
import { sends, type Feature } from '../../feature.ts'
import type { Recipient } from '../../mail/recipient.ts'
import { sendTicketAnswerMail, sendTicketLinkMail } from './mails.ts'
import { findMessage, findTicketAddressee, findAuthor } from './queries.ts'
import { ticketRoutes } from './routes.ts'
import { forgetTickets, sweepTickets } from './service.ts'
import { forgetVisitors } from './visitors/queries.ts'
import { ticketAnswerMail, ticketLinkMail } from './work.ts'
import { ticketEvents } from './events.ts'

export const tickets: Feature = {
  name: 'tickets',
  tables: ['tickets', 'ticket_messages', 'ticket_reads', 'visitors', 'visitor_addresses', 'ticket_links'],
  events: ticketEvents,
  routes: ticketRoutes,
  mails: [
    sends(
      ticketAnswerMail,
      (deps, { message_id }) => sendTicketAnswerMail(deps, message_id),
      async (reads, { message_id }) => {
        const message = await findMessage(reads, message_id)
        return message && findAddressee(reads, message.ticket_id)
      },
      async (reads, { message_id }) => {
        const author = await findAuthor(reads, message_id)
        return author && { userId: author.user_id, title: author.title, about: { ticket: author.ticket_id } }
      },
    ),
    sends(
      ticketLinkMail,
      (deps, { ticket_id }) => sendTicketLinkMail(deps, ticket_id),
      async (reads, { ticket_id }) => (ticket_id === null ? undefined : findAddressee(reads, ticket_id)),
    ),
  ],
  sweep: sweepTickets,
  restored: forgetVisitors,
  forget: forgetTickets,
}

async function findAddressee(reads: Db, ticketId: number): Promise<Recipient> {
  const ticket = await findTicketAddressee(reads, ticketId)
  if (!ticket) return undefined
  if (ticket.owner_id !== null) return { userId: ticket.owner_id }
  return ticket.email === null ? undefined : { address: ticket.email }
}
