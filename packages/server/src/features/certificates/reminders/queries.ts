import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { ReminderMarkRow } from '../../../db/proof-tables.ts'

export type ReminderMark = Selectable<ReminderMarkRow>

/** A place in the order in which proofs expire. */
export type Place = Pick<ReminderMark, 'reached' | 'reached_id'>

/** What is known of expiries besides. */
export type Spans = Omit<ReminderMark, 'days' | keyof Place>

export async function findMark(db: Db, days: number): Promise<ReminderMark | undefined> {
  return db.selectFrom('reminder_marks').selectAll().where('days', '=', days).executeTakeFirst()
}

/** Of several processes one is first. */
export async function insertMark(db: Db, mark: Insertable<ReminderMarkRow>): Promise<void> {
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
  to: Place & Partial<Spans>,
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

export async function findNewestProof(db: Db): Promise<number> {
  const row = await db.selectFrom('proofs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/**
 * Proofs in force in the order in which they expire, behind a place and up to a time, without those that a clock which ran
 * ahead has told of; an index of just these serves it.
 */
export async function listExpiring(
  db: Db,
  { reached, reached_id }: Place,
  { ahead_from, ahead_until, ahead_id }: Pick<Spans, 'ahead_from' | 'ahead_until' | 'ahead_id'>,
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
    .$if(ahead_id !== null, (query) =>
      query.where(({ eb, or }) =>
        or([
          eb('p.current_expire_time', '<=', ahead_from),
          eb('p.current_expire_time', '>', ahead_until),
          eb('p.id', '>', ahead_id ?? 0),
        ]),
      ),
    )
    .orderBy('p.current_expire_time')
    .orderBy('p.id')
    .limit(most)
    .execute()
  return rows.flatMap(({ id, expire_time }) => (expire_time === null ? [] : [{ id, expire_time }]))
}
