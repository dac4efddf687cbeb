import type { Db } from '../../db/open.ts'

/** Keeps the old address until it has been told. */
export async function insertEmailChange(transaction: Db, userId: number, oldEmail: string): Promise<number> {
  const { id } = await transaction
    .insertInto('email_changes')
    .values({ user_id: userId, old_email: oldEmail })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findEmailChange(db: Db, id: number): Promise<{ userId: number; oldEmail: string } | undefined> {
  const row = await db
    .selectFrom('email_changes')
    .select(['user_id', 'old_email'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { userId: row.user_id, oldEmail: row.old_email }
}

export async function deleteEmailChange(db: Db, id: number): Promise<void> {
  await db.deleteFrom('email_changes').where('id', '=', id).execute()
}
