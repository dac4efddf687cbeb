import type { Db } from './open.ts'

/** Facts of the installation that are decided once. */
export type FactName =
  | 'ca_fingerprint'
  | 'leaf_fingerprint'
  | 'secret_key_fingerprint'
  | 'first_superuser'
  | 'demonstration'

/** Records a fact unless it stands already; a conditional insert, so of several at once one wins. @returns whether it did. */
export async function claimFact(db: Db, name: FactName, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findFact(db: Db, name: FactName): Promise<string | undefined> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}
