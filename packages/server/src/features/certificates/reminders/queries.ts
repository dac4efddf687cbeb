import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/open.ts'

/** A place in the order in which proofs expire: behind those up to `reached`, and at this very time up to `reached_id`. */
export interface Place {
  reached: number
  reached_id: number
}

/** How far the reminders of one day-mark have come. */
export interface ReminderMark extends Place {
  days: number
  passedOver: Span[]
}

/** Expiries after one time and until another. */
const Span = z.tuple([z.int(), z.int()])
export type Span = z.infer<typeof Span>

/** A proof and the expiry that its owner is told of. */
export interface Expiring {
  id: number
  expire_time: number
}

export async function findMark(db: Db, days: number): Promise<ReminderMark | undefined> {
  const row = await db.selectFrom('reminder_marks').selectAll().where('days', '=', days).executeTakeFirst()
  if (!row) return undefined
  const { passed_over, ...mark } = row
  return { ...mark, passedOver: z.array(Span).parse(JSON.parse(passed_over)) }
}

/** Of several processes one is first. */
export async function insertMark(db: Db, { passedOver, ...mark }: ReminderMark): Promise<void> {
  await db
    .insertInto('reminder_marks')
    .values({ ...mark, passed_over: JSON.stringify(passedOver) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @returns false when another process was quicker: what lies between is its to see to. */
export async function moveMark(
  transaction: Db,
  { days, reached, reached_id }: ReminderMark,
  { passedOver, ...to }: Place & { passedOver: Span[] },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('reminder_marks')
    .set({ ...to, passed_over: JSON.stringify(passedOver) })
    .where('days', '=', days)
    .where('reached', '=', reached)
    .where('reached_id', '=', reached_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Proofs in force in the order in which they expire, behind a place and up to a time, without those that this mark has told
 * of, as by a clock that ran ahead; an index of just these serves it.
 */
export async function listExpiring(
  db: Db,
  days: number,
  { reached, reached_id }: Place,
  until: number,
  most: number,
): Promise<Expiring[]> {
  const rows = await db
    .selectFrom('proofs as p')
    .select(['p.id', 'p.current_expire_time as expire_time'])
    .where(sql<boolean>`p.state = 'published'`)
    .where('p.revoked_at', 'is', null)
    .where(sql<boolean>`(p.current_expire_time, p.id) > (${reached}, ${reached_id})`)
    .where('p.current_expire_time', '<=', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('told_reminders as t')
            .select('t.proof_id')
            .whereRef('t.proof_id', '=', 'p.id')
            .where('t.days', '=', days)
            .whereRef('t.expire_time', '=', 'p.current_expire_time'),
        ),
      ),
    )
    .orderBy('p.current_expire_time')
    .orderBy('p.id')
    .limit(most)
    .execute()
  return rows.flatMap(({ id, expire_time }) => (expire_time === null ? [] : [{ id, expire_time }]))
}

/** @returns those that this mark had not told of: each expiry of a proof is told once. */
export async function insertTold(transaction: Db, days: number, due: readonly Expiring[]): Promise<Expiring[]> {
  if (due.length === 0) return []
  const rows = await transaction
    .insertInto('told_reminders')
    .values(due.map(({ id, expire_time }) => ({ proof_id: id, days, expire_time })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['proof_id', 'expire_time'])
    .execute()
  return rows.map(({ proof_id, expire_time }) => ({ id: proof_id, expire_time }))
}
