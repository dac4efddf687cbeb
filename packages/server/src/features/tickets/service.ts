import { sayEnglish } from '@proofdesk/contract/messages'
import type { SearchPageOf } from '@proofdesk/contract/paging'
import { whyNotCloseTicket, whyNotCreateTicket, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { listTickets as listRoute, Ticket } from '@proofdesk/contract/tickets'
import type { TicketFace } from '@proofdesk/contract/status'
import { inTransaction } from '../../db/in-transaction.ts'
import { all, chooseReads, everything, toOrder } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse, refuseFields } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { recordView } from '../../events/record-view.ts'
import { byClient } from '../../http/limits.ts'
import { attemptMail } from '../../http/mail-limits.ts'
import { awaitTurn } from '../../http/one-a-turn.ts'
import { showFound, showPage } from '../../http/page-links.ts'
import type { ErasedPerson } from '../../feature.ts'
import { deleteNotificationsAbout } from '../notifications/queries.ts'
import { findUserByEmail } from '../users/queries.ts'
import { makeOnce } from '../../once/make-once.ts'
import { nameAsker, viewerOf, type Asker, type Visitor } from './asker.ts'
import { ticketEvents, type ConcernedTicket } from './events.ts'
import { deleteMessagesOf, deleteTicketsOf, forgetAddress } from './erasure/queries.ts'
import { listFoundIds } from './search/queries.ts'
import * as queries from './queries.ts'
import type { FaceCount, TicketOrdering } from './queries.ts'
import * as is from './ticket-filter.ts'
import { deleteExpired } from './visitors/queries.ts'
import { keepVisitor } from './visitors/visitor-cookie.ts'
import { TICKET_ACCOUNT, TICKET_ADDRESS, TICKET_VISITORS } from './limits.ts'

/**
 * A page of tickets: everyone's for those who answer, one's own for all others; none for a visitor without a cookie.
 * @param address Path and query of the request, for the links to the neighbours.
 * @throws AppError `page_not_found` past the end.
 */
export async function listTickets(
  deps: Deps,
  asker: Asker,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<SearchPageOf<Ticket>> {
  const { reads, longReads } = deps
  const conditions = [is.isVisibleTo(asker)]
  if (query.status !== undefined) conditions.push(is.hasStatus(query.status))
  if (query.is_locked !== undefined) conditions.push(is.hasLock(query.is_locked))
  if (query.search?.trim()) conditions.push(is.matchesSearch(query.search, asker))
  const condition = all(conditions)
  const order = toOrder<TicketOrdering>(query.ordering ?? '-created_at')
  const seesAll = is.isVisibleTo(asker) === everything
  if (seesAll) await awaitTurn()
  const sought = query.search?.trim() ? is.listSought(query.search, asker) : undefined
  if (sought) {
    const ids = await listFoundIds(deps, sought, condition, order)
    return showFound(address, query.page, ids, (page) => queries.listByIds(reads, asker, page))
  }
  const count = seesAll
    ? addUp(await queries.countAllByFace(reads), query)
    : await queries.countTickets(reads, condition)
  // Everybody's of one status, open or closed: no index has these in the order of their times.
  const near = seesAll && query.status !== undefined && query.is_locked === undefined ? longReads : reads
  return showPage(address, query.page, count, (cut) =>
    queries.listTickets(chooseReads({ reads: near, longReads }, cut), asker, condition, order, cut),
  )
}

export async function countTickets({ reads }: Deps, asker: Asker): Promise<Record<TicketFace | 'all', number>> {
  const visible = is.isVisibleTo(asker)
  const faces = visible === everything ? await queries.countAllByFace(reads) : await queries.countByFace(reads, visible)
  return {
    OPEN: addUp(faces, { is_locked: false, status: 'OPEN' }),
    IN_PROGRESS: addUp(faces, { is_locked: false, status: 'IN_PROGRESS' }),
    ANSWERED: addUp(faces, { is_locked: false, status: 'ANSWERED' }),
    CLOSED: addUp(faces, { is_locked: true }),
    all: addUp(faces, {}),
  }
}

function addUp(
  faces: readonly FaceCount[],
  { is_locked: isLocked, status }: Pick<In<typeof listRoute, 'query'>, 'is_locked' | 'status'>,
): number {
  return faces
    .filter((face) => (isLocked ?? face.is_locked) === face.is_locked && (status ?? face.status) === face.status)
    .reduce((sum, { count }) => sum + count, 0)
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
 * @param key Under which the same call opens one, however often it comes; of a visitor only with the cookie.
 * @returns the ticket, and for a visitor the token the cookie is to hold.
 * @throws AppError `forbidden` for everyone but ordinary users and visitors, `invalid` for a visitor without an address,
 *   `rate_limited`; as `makeOnce`.
 */
export async function createTicket(
  deps: Deps,
  asker: Asker,
  clientAddress: string,
  input: { title: string },
  key?: string,
): Promise<{ ticket: Ticket; cookieToken?: string }> {
  refuse(whyNotCreateTicket(viewerOf(asker)))
  if (asker.kind === 'visitor') return createVisitorTicket(deps, asker, clientAddress, input, key)
  const { id: ownerId } = asker.viewer
  const call = { kind: 'ticket', owner: nameAsker(asker), key, sent: input } as const
  const { id } = await makeOnce(deps, call, {
    admit: () => deps.limits.attempt({ limit: TICKET_ACCOUNT, key: ownerId }),
    make: async (transaction, emit) => {
      const values = { title: input.title, now: deps.now() }
      const made = await queries.insertTicket(transaction, { ownerId }, values)
      await emit(ticketEvents.ticket_opened(ownerId, { id: made, asker_id: ownerId, title: input.title }))
      return { id: made }
    },
    find: async (made) => ({ id: made }),
  })
  return { ticket: await mustSeeTicket(deps.db, asker, id) }
}

async function createVisitorTicket(
  deps: Deps,
  visitor: Visitor,
  clientAddress: string,
  input: { title: string },
  key: string | undefined,
): Promise<{ ticket: Ticket; cookieToken: string }> {
  const { email } = visitor
  if (email === null) throw refuseFields({ email: [sayEnglish('field_required')] })
  // Anybody may type an address, and its owner opens tickets all the same.
  const named = { email, from: clientAddress }
  const call = { kind: 'ticket', owner: nameAsker(visitor), key, sent: { ...input, email } } as const
  const { id, ...known } = await makeOnce(deps, call, {
    admit: () => attemptMail(deps.limits, TICKET_VISITORS, named, ...byClient(TICKET_ADDRESS, clientAddress)),
    make: async (transaction, emit) => {
      const at = deps.now()
      const kept = await keepVisitor(transaction, at, visitor)
      const owner = { visitorId: kept.visitorId, email }
      const made = await queries.insertTicket(transaction, owner, { title: input.title, now: at })
      await emit(ticketEvents.ticket_opened(null, await mustFindConcerned(transaction, made)))
      return { id: made, ...kept }
    },
    find: async (made) => ({
      id: made,
      ...(await inTransaction(deps.db, (transaction) => keepVisitor(transaction, deps.now(), visitor))),
    }),
  })
  return { ticket: await mustSeeTicket(deps.db, { ...visitor, ...known }, id), cookieToken: known.token }
}

/** @param seen Messages seen, from the first. @throws AppError `ticket_not_found` */
export async function markTicketRead(deps: Deps, asker: Asker, id: number, seen: number): Promise<Ticket> {
  const { db } = deps
  await recordTicketView(deps, asker, await mustSeeTicket(db, asker, id))
  await queries.markSeen(db, asker, id, seen)
  return mustSeeTicket(db, asker, id)
}

/** What events need to know of a ticket that is held. */
export async function mustFindConcerned(transaction: Db, id: number): Promise<ConcernedTicket> {
  const ticket = await queries.findTicketAddressee(transaction, id)
  if (!ticket) throw new AppError('ticket_not_found')
  const { owner_id: ownerId, email, title } = ticket
  if (ownerId !== null || email === null) return { id, asker_id: ownerId, title }
  // What a visitor opened is also theirs who has verified its address.
  const holder = await findUserByEmail(transaction, email)
  return { id, asker_id: holder?.is_email_verified ? holder.id : null, title }
}

/** Before an answer that shows a ticket, or its conversation, to others than who asks. */
async function recordTicketView(deps: Deps, asker: Asker, ticket: Pick<Ticket, 'id' | 'is_own'>): Promise<void> {
  if (asker.kind === 'person' && !ticket.is_own)
    await recordView(deps, ticketEvents.ticket_viewed(asker.viewer.id, ticket))
}

/** @throws AppError `ticket_not_found` */
export async function viewTicket(deps: Deps, asker: Asker, id: number): Promise<Ticket> {
  const ticket = await mustSeeTicket(deps.reads, asker, id)
  await recordTicketView(deps, asker, ticket)
  return ticket
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
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await queries.setTicketLock(transaction, id, input.is_locked, closer))) {
      // It is so already, or somebody else has taken it meanwhile.
      refuse(whyNotCloseTicket(viewer, await mustSeeTicket(transaction, asker, id)))
      return
    }
    const happened = input.is_locked ? ticketEvents.ticket_closed : ticketEvents.ticket_reopened
    await emit(happened(viewer.id, await mustFindConcerned(transaction, id)))
  })
  return mustSeeTicket(deps.db, asker, id)
}

/** Forgets browsers and links that have run out. Runs every hour. */
export async function sweepTickets({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await inTransaction(db, (transaction) => deleteExpired(transaction, now()))
}

/** Deletes what somebody who is erased asked and answered, in the transaction that erases them. */
export async function forgetTickets(transaction: Db, person: ErasedPerson): Promise<void> {
  const deleted = await deleteTicketsOf(transaction, person)
  await deleteNotificationsAbout(transaction, {
    ownerId: person.id,
    collections: [],
    tickets: deleted.map(({ id }) => id),
    titles: [],
  })
  await deleteMessagesOf(transaction, person.id)
  if (person.emailKey !== undefined) await forgetAddress(transaction, person.emailKey)
}
