import { sql, type Selectable } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { ReminderMarkRow } from '../../../db/proof-tables.ts'

export type ReminderMark = Selectable<ReminderMarkRow>

/** A place in the order in which proofs expire. */
export type Place = Pick<ReminderMark, 'reached' | 'reached_id'>

export async function findMark(db: Db, days: number): Promise<ReminderMark | undefined> {
  return db.selectFrom('reminder_marks').selectAll().where('days', '=', days).executeTakeFirst()
}

/** Of several processes one is first. */
export async function insertMark(db: Db, mark: ReminderMark): Promise<void> {
  await db
    .insertInto('reminder_marks')
    .values(mark)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @returns false when another process was quicker: what lies between is its to see to. */
export async function moveMark(
  transaction: Db,
  { days, reached, reached_id }: ReminderMark,
  to: Place,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('reminder_marks')
    .set(to)
    .where('days', '=', days)
    .where('reached', '=', reached)
    .where('reached_id', '=', reached_id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Proofs in force in the order in which they expire, behind a place and up to a time; an index of just these serves it. */
export async function listExpiring(
  db: Db,
  { reached, reached_id }: Place,
  until: number,
  most: number,
): Promise<{ id: number; expire_time: number }[]> {
  const rows = await db
    .selectFrom('proofs as p')
    .select(['p.id', 'p.current_expire_time as expire_time'])
    .where(sql<boolean>`p.state = 'published'`)
    .where('p.revoked_at', 'is', null)
    .where(sql<boolean>`(p.current_expire_time, p.id) > (${reached}, ${reached_id})`)
    .where('p.current_expire_time', '<=', until)
    .orderBy('p.current_expire_time')
    .orderBy('p.id')
    .limit(most)
    .execute()
  return rows.flatMap(({ id, expire_time }) => (expire_time === null ? [] : [{ id, expire_time }]))
}
