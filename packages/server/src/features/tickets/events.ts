import { defineEvents } from '../../events/event.ts'
import type { Change } from '../../live/live.ts'
import { ticketAnswerMail, ticketLinkMail } from './work.ts'

/** What events need to know of a ticket. */
export interface ConcernedTicket {
  id: number
  /** Null for a visitor's whose address nobody has verified. */
  asker_id: number | null
  title: string
}

/** Lets the screens of all signed-in people who see a ticket follow. */
function tellOnlookers({ asker_id: user }: ConcernedTicket, topics: Change['topics'] = ['tickets']): Change[] {
  return [{ topics: ['tickets'], answerers: true }, ...(user === null ? [] : [{ topics, user }])]
}

/** @param by Null: a visitor. */
const happenedTo = (by: number | null, ticket: ConcernedTicket) => ({
  audit: { actor: by, object: { kind: 'ticket', id: ticket.id } } as const,
  tell: tellOnlookers(ticket),
})

export const ticketEvents = defineEvents({
  ticket_opened: happenedTo,
  ticket_asked: happenedTo,
  ticket_closed: happenedTo,
  ticket_reopened: happenedTo,
  /** The asker is told: by notification where they have an account, and by mail. */
  ticket_answered: (by: number, ticket: ConcernedTicket, message: number) => ({
    ...happenedTo(by, ticket),
    ...(ticket.asker_id !== null && {
      notify: { user: ticket.asker_id, type: 'ANSWER_TICKET', path: String(ticket.id), title: ticket.title },
    }),
    work: [ticketAnswerMail({ message_id: message })],
    tell: tellOnlookers(ticket, ['tickets', 'notifications']),
  }),
  /** Somebody to whom it does not belong reads it. */
  ticket_viewed: (by: number, ticket: Pick<ConcernedTicket, 'id'>) => ({
    audit: { actor: by, object: { kind: 'ticket', id: ticket.id } },
  }),
  /** @param ticket The newest of those that it opens; null where there is none any more. */
  ticket_link_used: (ticket: number | null) => ({
    audit: { actor: null, object: { kind: 'ticket', id: ticket } },
  }),
  /** @param ticket Null where the address has none: the row is there all the same. */
  ticket_link_asked: (ticket: number | null) => ({
    work: [ticketLinkMail({ ticket_id: ticket })],
  }),
})
