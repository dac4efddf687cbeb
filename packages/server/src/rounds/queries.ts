import type { Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { StoredRoundRow } from '../db/stored-file-tables.ts'

export type StoredRound = Selectable<StoredRoundRow>
export type RoundKind = StoredRound['kind']
export const ROUND_KINDS: readonly RoundKind[] = ['original', 'review_document', 'certified']

export async function findRound(db: Db, kind: RoundKind): Promise<StoredRound | undefined> {
  return db.selectFrom('stored_rounds').selectAll().where('kind', '=', kind).executeTakeFirst()
}

/** Of several processes one is first. */
export async function insertFirstRound(db: Db, kind: RoundKind, now: number): Promise<void> {
  await db
    .insertInto('stored_rounds')
    .values({ kind, began_at: now, reached_id: 0, is_under_way: 1, ended_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @returns false when another process was quicker. */
export async function moveRound(
  transaction: Db,
  { kind, began_at, reached_id, is_under_way }: StoredRound,
  to: Partial<Omit<StoredRound, 'kind'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('stored_rounds')
    .set(to)
    .where('kind', '=', kind)
    .where('began_at', '=', began_at)
    .where('reached_id', '=', reached_id)
    .where('is_under_way', '=', is_under_way)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
