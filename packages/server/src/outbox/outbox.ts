import { COLLECTION_MAX_FILES } from '@proofdesk/contract/limits'
import type { Db } from '../db/open.ts'
import { findSpan } from '../span.ts'

/** Work that is to follow a commit: its kind and the ids it carries, never a token. */
export interface Work {
  kind: string
  payload: object
  /** For whom, where people are to take turns: their next row stands behind the first that waits of each other. */
  askedBy?: number
}

/** A kind of work. Declared once, by the leftmost room that asks for it; one feature does it, perhaps one to its right. */
export interface WorkKind<P extends object> {
  (payload: P, askedBy?: number): Work
  kind: string
  /** How many rows of it one process works on at once. */
  atOnce: number
  /** Nobody looks at a clock until it is done: where rows keep coming, several are taken up together. */
  isUnhurried?: boolean
}

/** Rows of one kind worked on at once: a slow mail server delays its own kind only, and not at the first letter. */
const AT_ONCE = 2

export function defineWork<P extends object>(
  kind: string,
  { atOnce = AT_ONCE, isUnhurried = false } = {},
): WorkKind<P> {
  const make = (payload: P, askedBy?: number): Work => ({ kind, payload, ...(askedBy !== undefined && { askedBy }) })
  return Object.assign(make, { kind, atOnce, isUnhurried })
}

/** What became of a row so far. */
export interface Tries {
  /** How often it has failed. */
  failures: number
  /** When it was put there. */
  since: number
}

/** What is done for one kind. May be run again after it has already done its work. */
export interface Handler {
  of: Pick<WorkKind<never>, 'kind' | 'atOnce' | 'isUnhurried'>
  run(payload: unknown, tries: Tries): Promise<void>
}

/** Thrown by a handler when trying again can never help: the row is dropped and the reason logged. */
export class HopelessWork extends Error {
  override readonly name = 'HopelessWork'
}

/** Rings the worker after a commit; without it a row waits for the next round of at most a few seconds. */
export interface OutboxBell {
  /** @param kinds Of the rows; where they are named nobody has to look which kinds are due. */
  ring(kinds?: readonly string[]): void
}

/** Puts a row into the outbox, in the transaction whose commit it must follow. Ring the bell after the commit. */
export async function enqueue(transaction: Db, now: number, work: Work): Promise<void> {
  const { kind, askedBy } = work
  const turn =
    askedBy === undefined ? {} : { asked_by: askedBy, turn: await findTurn(transaction, now, { kind, askedBy }) }
  await transaction
    .insertInto('outbox')
    .values({ ...makeRow(now, work), ...turn })
    .execute()
}

/** Rows of one statement: the files and thumbnails of a full collection. */
const ROWS_AT_ONCE = 2 * COLLECTION_MAX_FILES

/** The same for much work, which nobody in particular waits for. */
export async function enqueueAll(transaction: Db, now: number, works: readonly Work[]): Promise<void> {
  const rows = works.map((work) => makeRow(now, work))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await transaction
      .insertInto('outbox')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

function makeRow(now: number, { kind, payload }: Work) {
  const traceparent = findSpan()?.traceparent ?? null
  return { kind, payload: JSON.stringify(payload), attempts: 0, due_at: now, created_at: now, traceparent }
}

/**
 * Start-time fair queueing: the turn after one's own last, but none that is over. So many rows of one person delay each
 * other, and the first of somebody else comes next. Whose turn it is the rows say that are due: one that failed keeps its
 * turn until it is tried again, and others' must not wait for it.
 */
async function findTurn(transaction: Db, now: number, { kind, askedBy }: { kind: string; askedBy: number }) {
  const ofKind = transaction.selectFrom('outbox').where('kind', '=', kind)
  const due = await ofKind
    .select(({ fn }) => fn.min('turn').as('turn'))
    .where('due_at', '<=', now)
    .executeTakeFirst()
  const current = due?.turn ?? (await ofKind.select(({ fn }) => fn.max('turn').as('turn')).executeTakeFirst())?.turn
  const own = await ofKind
    .select(({ fn }) => fn.max('turn').as('turn'))
    .where('asked_by', '=', askedBy)
    .executeTakeFirst()
  const afterOwn = (own?.turn ?? -1) + 1
  return Math.max(afterOwn, current ?? 0)
}

/**
 * Takes back the rows of exactly this work, where what they were to follow no longer holds.
 * @scans: what is not done yet is little on any day.
 */
export async function withdraw(transaction: Db, { kind, payload }: Work): Promise<void> {
  await transaction
    .deleteFrom('outbox')
    .where('kind', '=', kind)
    .where('payload', '=', JSON.stringify(payload))
    .execute()
}

/**
 * Whether such work still stands there, also while it is worked on: for who must not do what was withdrawn meanwhile.
 * @scans: what is not done yet is little on any day.
 */
export async function isWanted(transaction: Db, { kind, payload }: Work): Promise<boolean> {
  const row = await transaction
    .selectFrom('outbox')
    .select('id')
    .where('kind', '=', kind)
    .where('payload', '=', JSON.stringify(payload))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
