import type { Db } from '../../db/open.ts'
import type { ProviderEntryRow } from '../../db/schema.ts'

/** Takes what may be taken once; a conditional insert, so of several at once this holds for one only. */
export async function takeOnce(db: Db, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('provider_uses')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function insertEntry(db: Db, row: ProviderEntryRow): Promise<void> {
  await db.insertInto('provider_entries').values(row).execute()
}

/** Uses an entry up: of several requests with the same one, this holds for one only. @returns whose it is. */
export async function takeEntry(db: Db, hash: string, now: number): Promise<number | undefined> {
  const row = await db
    .deleteFrom('provider_entries')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

export async function deleteOutdated(db: Db, now: number): Promise<void> {
  await db.deleteFrom('provider_uses').where('expires_at', '<=', now).execute()
  await db.deleteFrom('provider_entries').where('expires_at', '<=', now).execute()
}
