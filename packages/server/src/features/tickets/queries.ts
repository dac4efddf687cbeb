import { MESSAGES_MAX_PER_TICKET } from '@proofdesk/contract/limits'
import { listTicketRights } from '@proofdesk/contract/permissions'
import type { TicketStatus } from '@proofdesk/contract/status'
import type { Ticket, TicketMessage } from '@proofdesk/contract/tickets'
import { sql } from 'kysely'
import { cutPage, inOrder, sortByIds, type Condition, type Order, type PageCut } from '../../db/list.ts'
import type { Db } from '../../db/open.ts'
import { toEmailKey } from '../../text/email-key.ts'
import { foldCase } from '../../text/fold-case.ts'
import { viewerOf, type Asker } from './asker.ts'
import { isOwnOf, isUnreadBy, isVisibleTo, stillAnswers } from './ticket-filter.ts'

/** `u` is the asker, `r` whoever took it. */
function selectTickets(db: Db, asker: Asker) {
  return db
    .selectFrom('tickets as t')
    .leftJoin('users as u', 'u.id', 't.owner_id')
    .leftJoin('users as r', 'r.id', 't.admin_id')
    .select([
      't.id',
      't.title',
      't.status',
      't.is_locked',
      'u.username',
      sql<string>`coalesce(u.email, t.email)`.as('email'),
      // Whoever can answer no more has not taken it any longer.
      sql<string | null>`case when ${stillAnswers('r')} then r.username end`.as('admin_username'),
      sql<number>`case when ${isOwnOf(asker)} then 1 else 0 end`.as('is_own'),
      sql<number>`case when ${isUnreadBy(asker)} then 1 else 0 end`.as('is_unread'),
      't.created_at',
    ])
}

type SelectedTicket = Awaited<ReturnType<ReturnType<typeof selectTickets>['executeTakeFirstOrThrow']>>

function toTicket(row: SelectedTicket, asker: Asker): Ticket {
  const facts = { ...row, is_locked: row.is_locked === 1, is_own: row.is_own === 1 }
  return {
    ...facts,
    ticket_id: row.id,
    is_unread: row.is_unread === 1,
    created_at: new Date(row.created_at).toISOString(),
    may: listTicketRights(viewerOf(asker), facts),
  }
}

/** @returns undefined when it is missing or not the asker's to see. */
export async function findTicket(db: Db, asker: Asker, id: number): Promise<Ticket | undefined> {
  const row = await selectTickets(db, asker).where('t.id', '=', id).where(isVisibleTo(asker)).executeTakeFirst()
  return row && toTicket(row, asker)
}

/** Those that are there, in the order of their ids. */
export async function listByIds(db: Db, asker: Asker, ids: readonly number[]): Promise<Ticket[]> {
  if (ids.length === 0) return []
  const rows = await selectTickets(db, asker).where('t.id', 'in', ids).execute()
  return sortByIds(rows, ids).map((row) => toTicket(row, asker))
}

export type TicketOrdering = 'title' | 'created_at' | 'status'

export const ORDER_EXPRESSIONS = {
  title: sql`t.title_key`,
  created_at: sql`t.created_at`,
  status: sql`t.status`,
} as const

/**
 * One page; ties by id.
 */
export async function listTickets(
  db: Db,
  asker: Asker,
  condition: Condition,
  order: Order<TicketOrdering>,
  cut: PageCut,
): Promise<Ticket[]> {
  const rows = await selectTickets(db, asker)
    .where(condition)
    .$call(cutPage(ORDER_EXPRESSIONS[order.by], 't.id', order.direction, cut))
    .execute()
  return inOrder(rows, cut).map((row) => toTicket(row, asker))
}

/** Of somebody's own; everyone's are counted by `countAllByFace`. */
export async function countTickets(db: Db, condition: Condition): Promise<number> {
  const { count } = await db
    .selectFrom('tickets as t')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(condition)
    .executeTakeFirstOrThrow()
  return count
}

export interface FaceCount {
  is_locked: boolean
  status: TicketStatus
  count: number
}

/** Of somebody's own; everyone's are counted by `countAllByFace`. */
export async function countByFace(db: Db, condition: Condition): Promise<FaceCount[]> {
  const rows = await db
    .selectFrom('tickets as t')
    .select(['t.is_locked', 't.status', (eb) => eb.fn.countAll<number>().as('count')])
    .where(condition)
    .groupBy(['t.is_locked', 't.status'])
    .execute()
  return rows.map((row) => ({ ...row, is_locked: row.is_locked === 1 }))
}

export async function countAllByFace(db: Db): Promise<FaceCount[]> {
  const rows = await db
    .selectFrom('ticket_counts')
    .select(['is_locked', 'status', sql<number>`cast(sum(amount) as bigint)`.as('count')])
    .groupBy(['is_locked', 'status'])
    .execute()
  return rows.map((row) => ({ ...row, is_locked: row.is_locked === 1 }))
}

/** @param asker A person's id, or a visitor's browser with the address they go by. */
export async function insertTicket(
  db: Db,
  asker: { ownerId: number } | { visitorId: number; email: string },
  values: { title: string; now: number },
): Promise<number> {
  const { id } = await db
    .insertInto('tickets')
    .values({
      title: values.title,
      title_key: foldCase(values.title),
      owner_id: 'ownerId' in asker ? asker.ownerId : null,
      email: 'email' in asker ? asker.email : null,
      email_key: 'email' in asker ? toEmailKey(asker.email) : null,
      visitor_id: 'visitorId' in asker ? asker.visitorId : null,
      status: 'OPEN',
      is_locked: 0,
      admin_id: null,
      created_at: values.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The newest ticket that visitors opened with an address. */
export async function findTicketOfAddress(db: Db, email: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('tickets')
    .select('id')
    .where('owner_id', 'is', null)
    .where('email_key', '=', toEmailKey(email))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Who hears of a ticket: a person by id, or a visitor by address. */
export async function findTicketAddressee(
  db: Db,
  id: number,
): Promise<{ title: string; owner_id: number | null; email: string | null } | undefined> {
  return db.selectFrom('tickets').select(['title', 'owner_id', 'email']).where('id', '=', id).executeTakeFirst()
}

/** Somebody who answers or closes; a superuser may do so whoever took the ticket. */
export interface Answerer {
  id: number
  isSuperuser: boolean
}

/** Whether somebody has taken a ticket who can still answer it. */
const IS_TAKEN = sql<boolean>`exists (select 1 from users as r where r.id = tickets.admin_id and ${stillAnswers('r')})`

/**
 * Counts an answer in: the first one takes the ticket, also from somebody who can answer no more. The same rule as `ticketStatusAfter` of the contract.
 * @returns false when it is closed or full, or somebody else has taken it, also of two at once.
 */
export async function takeAnswerTurn(db: Db, id: number, { id: adminId, isSuperuser }: Answerer): Promise<boolean> {
  const result = await db
    .updateTable('tickets')
    .set({
      status: 'ANSWERED',
      admin_id: sql`case when ${IS_TAKEN} then admin_id else cast(${adminId} as bigint) end`,
      message_count: sql`message_count + 1`,
    })
    .where('id', '=', id)
    .where('is_locked', '=', 0)
    .where('message_count', '<', MESSAGES_MAX_PER_TICKET)
    .$if(!isSuperuser, (update) => update.where(({ eb, or, not }) => or([eb('admin_id', '=', adminId), not(IS_TAKEN)])))
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows === 1n
}

/** Counts a message of the asker in. @returns false when the ticket is closed or full. */
export async function takeAskerTurn(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('tickets')
    .set({
      status: sql<TicketStatus>`case when status = 'ANSWERED' then 'IN_PROGRESS' else status end`,
      message_count: sql`message_count + 1`,
    })
    .where('id', '=', id)
    .where('is_locked', '=', 0)
    .where('message_count', '<', MESSAGES_MAX_PER_TICKET)
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows === 1n
}

/** Never back: two screens of one person may tell at once. @param seen Messages seen, from the first. */
export async function markSeen(db: Db, asker: Asker, ticketId: number, seen: number): Promise<void> {
  if (asker.kind === 'visitor') {
    await db
      .updateTable('tickets')
      .set({ visitor_seen: sql`case when message_count < ${seen} then message_count else ${seen} end` })
      .where('id', '=', ticketId)
      .where('visitor_seen', '<', seen)
      .execute()
    return
  }
  await sql`insert into ticket_reads (ticket_id, user_id, seen)
    select id, cast(${asker.viewer.id} as bigint), case when message_count < ${seen} then message_count else ${seen} end
    from tickets where id = ${ticketId}
    on conflict (ticket_id, user_id) do update set seen = excluded.seen where ticket_reads.seen < excluded.seen`.execute(
    db,
  )
}

/** What stands in the way of a message. */
export async function findTurnFacts(
  db: Db,
  id: number,
): Promise<{ is_locked: number; message_count: number } | undefined> {
  return db.selectFrom('tickets').select(['is_locked', 'message_count']).where('id', '=', id).executeTakeFirst()
}

/** Closes or reopens; it may be so already. @returns false when somebody else has taken the ticket. */
export async function setTicketLock(
  db: Db,
  id: number,
  isLocked: boolean,
  { id: adminId, isSuperuser }: Answerer,
): Promise<boolean> {
  const result = await db
    .updateTable('tickets')
    .set({ is_locked: isLocked ? 1 : 0 })
    .where('id', '=', id)
    .where('is_locked', '!=', isLocked ? 1 : 0)
    .$if(!isSuperuser, (update) => update.where('admin_id', '=', adminId))
    .executeTakeFirstOrThrow()
  return result.numUpdatedRows === 1n
}

function selectMessages(db: Db) {
  return db
    .selectFrom('ticket_messages as m')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.id', 'm.ticket_id', 'm.text', 'u.username', 'm.is_admin', 'm.created_at'])
}

type SelectedMessage = Awaited<ReturnType<ReturnType<typeof selectMessages>['executeTakeFirstOrThrow']>>

function toMessage({ is_admin, created_at, ...same }: SelectedMessage): TicketMessage & { ticket_id: number } {
  return { ...same, is_admin: is_admin === 1, created_at: new Date(created_at).toISOString(), may: {} }
}

/** All of a ticket, oldest first. */
export async function listMessages(db: Db, ticketId: number): Promise<TicketMessage[]> {
  const rows = await selectMessages(db)
    .where('m.ticket_id', '=', ticketId)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
  return rows.map(toMessage)
}

export async function findMessage(db: Db, id: number): Promise<(TicketMessage & { ticket_id: number }) | undefined> {
  const row = await selectMessages(db).where('m.id', '=', id).executeTakeFirst()
  return row && toMessage(row)
}

export async function insertMessage(
  db: Db,
  values: { ticketId: number; userId: number | null; isAdmin: boolean; text: string; now: number },
): Promise<number> {
  const { id } = await db
    .insertInto('ticket_messages')
    .values({
      ticket_id: values.ticketId,
      user_id: values.userId,
      is_admin: values.isAdmin ? 1 : 0,
      text: values.text,
      created_at: values.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Who wrote a message, and the ticket it is in; undefined for a visitor's. */
export async function findAuthor(
  db: Db,
  messageId: number,
): Promise<{ user_id: number; ticket_id: number; title: string } | undefined> {
  const row = await db
    .selectFrom('ticket_messages as m')
    .innerJoin('tickets as t', 't.id', 'm.ticket_id')
    .select(['m.user_id', 'm.ticket_id', 't.title'])
    .where('m.id', '=', messageId)
    .executeTakeFirst()
  return row === undefined || row.user_id === null ? undefined : { ...row, user_id: row.user_id }
}
