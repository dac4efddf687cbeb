import type { Db } from '../db/open.ts'
import type { MadeOnceRow } from '../db/made-once-table.ts'

/** What makes a call the same as one that came before. */
export type CallName = Pick<MadeOnceRow, 'owner' | 'kind' | 'key'>

/** @returns undefined where nothing was made under it, or it was forgotten. */
export async function findMade(
  db: Db,
  { owner, kind, key }: CallName,
): Promise<Pick<MadeOnceRow, 'object_id' | 'fingerprint'> | undefined> {
  return db
    .selectFrom('made_once')
    .select(['object_id', 'fingerprint'])
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** @returns false when another call was first under the same name: of several at once one is. */
export async function keepMade(transaction: Db, row: MadeOnceRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('made_once')
    .values(row)
    .onConflict((conflict) => conflict.columns(['owner', 'kind', 'key']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** @param until Milliseconds since 1970-01-01 UTC. */
export async function deleteMadeUntil(db: Db, until: number): Promise<void> {
  await db.deleteFrom('made_once').where('made_at', '<=', until).execute()
}

export async function deleteMadeBy(transaction: Db, owner: string): Promise<void> {
  await transaction.deleteFrom('made_once').where('owner', '=', owner).execute()
}
