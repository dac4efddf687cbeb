import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'

export interface ClaimedRow {
  id: number
  payload: string
  /** Failed tries so far. */
  attempts: number
  /** When it was put there. */
  created_at: number
  /** Of what asked for it; null where nothing is traced. */
  traceparent: string | null
}

/** Kinds that have a row to work on. */
export async function listDueKinds(db: Db, now: number): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('kind').distinct().where(isFree(now)).execute()
  return rows.map((row) => row.kind)
}

/**
 * Takes the due rows of a kind whose turn it is, the oldest first, and holds them. Another process may be quicker with those
 * that were chosen: then others are looked for.
 * @param most How many at once.
 * @returns none when none is due.
 */
export async function claimRows(
  db: Db,
  kind: string,
  now: number,
  holdMs: number,
  most: number,
): Promise<ClaimedRow[]> {
  do {
    const rows = await db
      .updateTable('outbox')
      .set({ held_until: now + holdMs })
      .where('id', 'in', (query) =>
        query
          .selectFrom('outbox')
          .select('id')
          .where('kind', '=', kind)
          .where(isFree(now))
          .orderBy('turn')
          .orderBy('due_at')
          .orderBy('id')
          .limit(most),
      )
      .where(isFree(now))
      .returning(['id', 'payload', 'attempts', 'created_at', 'traceparent', 'turn', 'due_at'])
      .execute()
    // In no order: https://www.sqlite.org/lang_returning.html, and PostgreSQL promises none either.
    if (rows.length > 0) return rows.toSorted((a, b) => a.turn - b.turn || a.due_at - b.due_at || a.id - b.id)
  } while (await hasDue(db, kind, now))
  return []
}

async function hasDue(db: Db, kind: string, now: number): Promise<boolean> {
  const rows = db.selectFrom('outbox').select('id').where('kind', '=', kind).where(isFree(now))
  return (await rows.limit(1).executeTakeFirst()) !== undefined
}

/** Due, and held by nobody. */
function isFree(now: number) {
  return ({ eb, and, or }: ExpressionBuilder<Tables, 'outbox'>) =>
    and([eb('due_at', '<=', now), or([eb('held_until', 'is', null), eb('held_until', '<=', now)])])
}

/** Of a row that is held: a lengthening that was overtaken by the end of the try must not keep the next one waiting. */
export async function extendHold(db: Db, id: number, until: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ held_until: until })
    .where('id', '=', id)
    .where('held_until', 'is not', null)
    .execute()
}

/** Why a row failed: a code or class name, and words that hold no personal data. */
export interface FailureFacts {
  reason: string
  words: string | null
}

export async function deferRow(db: Db, id: number, dueAt: number, { reason, words }: FailureFacts): Promise<void> {
  await db
    .updateTable('outbox')
    .set(({ eb }) => ({
      due_at: dueAt,
      held_until: null,
      last_error: reason,
      last_words: words,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** Rows that are not due yet. @scans: what is not done yet is little on any day. */
export async function listLaterRows(db: Db, now: number): Promise<{ id: number; attempts: number; due_at: number }[]> {
  return db.selectFrom('outbox').select(['id', 'attempts', 'due_at']).where('due_at', '>', now).execute()
}

/** Makes a row due earlier. @param was When it was due. */
export async function hastenRow(db: Db, id: number, was: number, dueAt: number): Promise<void> {
  await db.updateTable('outbox').set({ due_at: dueAt }).where('id', '=', id).where('due_at', '=', was).execute()
}

/**
 * Ends holds no later than one of now would. Whoever works on a row extends its hold again.
 * @scans: what is not done yet is little on any day.
 */
export async function shortenHolds(db: Db, latest: number): Promise<void> {
  await db.updateTable('outbox').set({ held_until: latest }).where('held_until', '>', latest).execute()
}

export async function dropRows(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('outbox').where('id', 'in', ids).execute()
}

/**
 * @scans: once, at start.
 */
export async function releaseHolds(db: Db): Promise<void> {
  await db.updateTable('outbox').set({ held_until: null }).where('held_until', 'is not', null).execute()
}

/**
 * How many rows of some kinds wait, and how many of these have failed before.
 * @scans: what is not done yet is little on any day.
 */
export async function countWaiting(db: Db, kinds: readonly string[]): Promise<{ waiting: number; failing: number }> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.countAll<number>().filterWhere('attempts', '>', 0).as('failing'),
    ])
    .where('kind', 'in', kinds)
    .executeTakeFirstOrThrow()
}

/** A row that failed and waits for another try. */
export interface FailingRow {
  id: number
  kind: string
  /** Of that kind. */
  payload: unknown
  attempts: number
  dueAt: number
  reason: string
  words: string | null
  createdAt: number
}

/** Rows of some kinds that have failed before, the oldest first. */
export async function listFailing(db: Db, kinds: readonly string[], most: number): Promise<FailingRow[]> {
  const rows = await db
    .selectFrom('outbox')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('attempts', '>', 0)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    payload: JSON.parse(row.payload) as unknown,
    attempts: row.attempts,
    dueAt: row.due_at,
    reason: row.last_error ?? '',
    words: row.last_words,
    createdAt: row.created_at,
  }))
}

/** Makes the rows of some kinds due that wait for a later try. @returns how many these were */
export async function hastenRows(db: Db, kinds: readonly string[], now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ due_at: now })
    .where('kind', 'in', kinds)
    .where('due_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
