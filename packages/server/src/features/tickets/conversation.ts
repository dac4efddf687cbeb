import type { ErrorCode } from '@proofdesk/contract/errors'
import { MESSAGES_MAX_PER_TICKET } from '@proofdesk/contract/limits'
import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotSendMessage } from '@proofdesk/contract/permissions'
import type { Ticket, TicketMessage } from '@proofdesk/contract/tickets'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { awaitTurn } from '../../http/one-a-turn.ts'
import { toWholeList } from '../../http/page-links.ts'
import { makeOnce } from '../../once/make-once.ts'
import { nameAsker, viewerOf, type Asker } from './asker.ts'
import { ticketEvents } from './events.ts'
import * as queries from './queries.ts'
import { mustFindConcerned, mustSeeTicket, viewTicket } from './service.ts'
import { TICKET_MESSAGE } from './limits.ts'

/** @throws AppError `ticket_not_found` */
export async function listMessages(deps: Deps, asker: Asker, ticketId: number): Promise<PageOf<TicketMessage>> {
  const ticket = await viewTicket(deps, asker, ticketId)
  await awaitTurn()
  return toWholeList(await queries.listMessages(deps.reads, ticket.id))
}

/**
 * Adds a message. Whoever opened the ticket asks in it, whatever their role; everyone else who sees it answers. An answer
 * is told to the asker.
 * @param key Under which the same call adds one, however often it comes; also once the ticket is closed.
 * @throws AppError `ticket_not_found`, `email_not_verified`, `ticket_not_allowed` where somebody else has taken the ticket;
 *   `ticket_closed`, `ticket_taken` when it has moved on, also when two requests race; `conversation_full`, `rate_limited`;
 *   as `makeOnce`.
 */
export async function createMessage(
  deps: Deps,
  asker: Asker,
  input: { text: string; ticket: number },
  key?: string,
): Promise<TicketMessage> {
  const ticket = await mustSeeTicket(deps.reads, asker, input.ticket)
  const owner = nameAsker(asker)
  const call = { kind: 'ticket message', owner, key, sent: input } as const
  const { id } = await makeOnce(deps, call, {
    admit: async () => {
      refuse(whyNotSendMessage(viewerOf(asker), ticket))
      return ticket.is_own ? deps.limits.attempt({ limit: TICKET_MESSAGE, key: owner ?? 'nobody' }) : undefined
    },
    make: async (transaction, emit) => {
      const isTaken = await takeTurn(transaction, asker, ticket)
      if (!isTaken) throw new AppError(await findWhyRefused(transaction, ticket.id))
      const at = deps.now()
      const messageId = await queries.insertMessage(transaction, {
        ticketId: ticket.id,
        userId: viewerOf(asker)?.id ?? null,
        isAdmin: !ticket.is_own,
        text: input.text,
        now: at,
      })
      // Who answers has the conversation before their eyes.
      await queries.markSeen(transaction, asker, ticket.id, MESSAGES_MAX_PER_TICKET)
      const concerned = await mustFindConcerned(transaction, ticket.id)
      const by = viewerOf(asker)?.id ?? null
      const isAnswer = !ticket.is_own && by !== null
      await emit(
        isAnswer ? ticketEvents.ticket_answered(by, concerned, messageId) : ticketEvents.ticket_asked(by, concerned),
      )
      return { id: messageId }
    },
    find: async (messageId) => ({ id: messageId }),
  })
  const message = await queries.findMessage(deps.db, id)
  if (!message) throw new AppError('ticket_not_found')
  return message
}

/** The update that decides every race: of a message with a closing, of two first answers, of the last free places. */
function takeTurn(transaction: Db, asker: Asker, ticket: Ticket): Promise<boolean> {
  if (asker.kind === 'visitor' || ticket.is_own) return queries.takeAskerTurn(transaction, ticket.id)
  const { id, is_superuser: isSuperuser } = asker.viewer
  return queries.takeAnswerTurn(transaction, ticket.id, { id, isSuperuser })
}

async function findWhyRefused(transaction: Db, ticketId: number): Promise<ErrorCode> {
  const facts = await queries.findTurnFacts(transaction, ticketId)
  if (!facts) return 'ticket_not_found'
  if (facts.is_locked === 1) return 'ticket_closed'
  return facts.message_count >= MESSAGES_MAX_PER_TICKET ? 'conversation_full' : 'ticket_taken'
}
