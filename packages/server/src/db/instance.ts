import type { Db } from './open.ts'

/**
 * Facts of the installation are decided once; each belongs to the room that decides it. Records one unless it stands already; a conditional insert, so of several at once one wins.
 * @returns whether it did.
 */
export async function claimFact(db: Db, name: string, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Puts a fact in place of what it was.
 * @returns false when somebody else has changed it since.
 */
export async function replaceFact(db: Db, name: string, was: string, value: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ value })
    .where('name', '=', name)
    .where('value', '=', was)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function findFact(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('instance').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Puts a fact in place of whatever it was, where none of several at once is wrong. */
export async function keepFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('instance')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
