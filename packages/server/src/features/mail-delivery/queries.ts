import type { Db } from '../../db/open.ts'

/** Whoever writes it first tells of the mail. @returns false where somebody has. */
export async function claimReturn(transaction: Db, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('told_returns')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteOldReturns(db: Db, now: number): Promise<void> {
  await db.deleteFrom('told_returns').where('expires_at', '<', now).execute()
}
