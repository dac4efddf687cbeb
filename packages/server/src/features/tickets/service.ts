import type { LiveTopic } from '@proofdesk/contract/events'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotCloseTicket, whyNotCreateTicket, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { listTickets as listRoute, Ticket } from '@proofdesk/contract/tickets'
import { all, toOrder } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse, refuseFields } from '../../errors.ts'
import { foldCase } from '../../text/fold-case.ts'
import { byClient } from '../../http/limits.ts'
import { showPage } from '../../http/page-links.ts'
import { viewerOf, type Asker, type Visitor } from './asker.ts'
import * as queries from './queries.ts'
import type { FaceCounts, TicketOrdering } from './queries.ts'
import * as is from './ticket-filter.ts'
import { deleteExpired } from './visitors/queries.ts'
import { keepVisitor } from './visitors/visitor-cookie.ts'
import { TICKET_ACCOUNT, TICKET_ADDRESS, TICKET_VISITOR } from './limits.ts'

/**
 * A page of tickets: everyone's for those who answer, one's own for all others; none for a visitor without a cookie.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `page_not_found` past the end.
 */
export async function listTickets(
  { reads }: Deps,
  asker: Asker,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<PageOf<Ticket>> {
  const conditions = [is.isVisibleTo(asker)]
  if (query.status !== undefined) conditions.push(is.hasStatus(query.status))
  if (query.is_locked !== undefined) conditions.push(is.hasLock(query.is_locked))
  if (query.search?.trim()) conditions.push(is.matchesSearch(query.search, asker))
  const condition = all(conditions)
  const count = await queries.countTickets(reads, condition, query.search !== undefined)
  const order = toOrder<TicketOrdering>(query.ordering ?? '-created_at')
  return showPage(address, query.page, count, (offset) => queries.listTickets(reads, asker, condition, order, offset))
}

export async function countTickets({ reads }: Deps, asker: Asker): Promise<FaceCounts> {
  return queries.countByFace(reads, is.isVisibleTo(asker))
}

/** @throws AppError `ticket_not_found` when it is missing or not the asker's to see: the two look alike. */
export async function mustSeeTicket(db: Db, asker: Asker, id: number): Promise<Ticket> {
  const ticket = await queries.findTicket(db, asker, id)
  if (!ticket) throw new AppError('ticket_not_found')
  return ticket
}

/**
 * Opens a ticket.
 * @param clientAddress Of the caller, for the limits.
 * @returns the ticket, and for a visitor the token the cookie is to hold.
 * @throws AppError `forbidden` for everyone but ordinary users and visitors, `invalid` for a visitor without an address,
 *   `rate_limited`.
 */
export async function createTicket(
  deps: Deps,
  asker: Asker,
  clientAddress: string,
  input: { title: string },
): Promise<{ ticket: Ticket; cookieToken?: string }> {
  refuse(whyNotCreateTicket(viewerOf(asker)))
  if (asker.kind === 'visitor') return createVisitorTicket(deps, asker, clientAddress, input)
  await deps.limits.attempt({ limit: TICKET_ACCOUNT, key: asker.viewer.id })
  const values = { title: input.title, now: deps.now() }
  const id = await queries.insertTicket(deps.db, { ownerId: asker.viewer.id }, values)
  await tellTicketChanged(deps, id)
  return { ticket: await mustSeeTicket(deps.db, asker, id) }
}

async function createVisitorTicket(
  deps: Deps,
  visitor: Visitor,
  clientAddress: string,
  input: { title: string },
): Promise<{ ticket: Ticket; cookieToken: string }> {
  const { email } = visitor
  if (email === null) throw refuseFields({ email: [sayEnglish('field_required')] })
  await deps.limits.attempt(...byClient(TICKET_ADDRESS, clientAddress), {
    limit: TICKET_VISITOR,
    key: foldCase(email),
  })
  const at = deps.now()
  const { id, known } = await deps.db.transaction().execute(async (transaction) => {
    const kept = await keepVisitor(transaction, at, visitor)
    const owner = { visitorId: kept.visitorId, email }
    return { known: kept, id: await queries.insertTicket(transaction, owner, { title: input.title, now: at }) }
  })
  await tellTicketChanged(deps, id)
  return { ticket: await mustSeeTicket(deps.db, { ...visitor, ...known }, id), cookieToken: known.token }
}

/** @param seen Messages seen, from the first. @throws AppError `ticket_not_found` */
export async function markTicketRead({ db }: Deps, asker: Asker, id: number, seen: number): Promise<Ticket> {
  await mustSeeTicket(db, asker, id)
  await queries.markSeen(db, asker, id, seen)
  return mustSeeTicket(db, asker, id)
}

/** Lets the screens of all signed-in people who see a ticket follow. After the commit. */
export async function tellTicketChanged(
  { reads, live }: Pick<Deps, 'reads' | 'live'>,
  id: number,
  topics: readonly LiveTopic[] = ['tickets'],
): Promise<void> {
  const addressee = await queries.findTicketAddressee(reads, id)
  live.tell({ topics: ['tickets'], answerers: true })
  if (addressee && addressee.owner_id !== null) live.tell({ topics, user: addressee.owner_id })
}

/**
 * Closes or reopens a ticket; doing so again changes nothing.
 * @throws AppError `forbidden` for those who only ask, `email_not_verified`, `ticket_not_allowed` unless one took the
 *   ticket or is a superuser.
 */
export async function changeTicket(
  deps: Deps,
  viewer: Viewer,
  id: number,
  input: { is_locked: boolean },
): Promise<Ticket> {
  const asker: Asker = { kind: 'person', viewer }
  const ticket = await mustSeeTicket(deps.reads, asker, id)
  refuse(whyNotCloseTicket(viewer, ticket))
  const closer = { id: viewer.id, isSuperuser: viewer.is_superuser }
  if (!(await queries.setTicketLock(deps.db, id, input.is_locked, closer))) throw new AppError('ticket_not_allowed')
  await tellTicketChanged(deps, id)
  return mustSeeTicket(deps.db, asker, id)
}

/** Forgets browsers and links that have run out. Runs every hour. */
export async function sweepTickets({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await db.transaction().execute((transaction) => deleteExpired(transaction, now()))
}
