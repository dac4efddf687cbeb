import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { toEmailKey } from '../../text/email-key.ts'

/** @param undoUntil Until when the address is kept for its person; null where it was never proved to be theirs. */
export async function insertEmailChange(
  transaction: Db,
  change: { userId: number; oldEmail: string; now: number; undoUntil: number | null },
): Promise<number> {
  const { id } = await transaction
    .insertInto('email_changes')
    .values({
      user_id: change.userId,
      old_email: change.oldEmail,
      changed_at: change.now,
      held_email_key: change.undoUntil === null ? null : toEmailKey(change.oldEmail),
      undo_until: change.undoUntil,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findEmailChange(
  db: Db,
  id: number,
): Promise<{ userId: number; oldEmail: string; canUndo: boolean } | undefined> {
  const row = await db
    .selectFrom('email_changes')
    .select(['user_id', 'old_email', 'undo_until'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { userId: row.user_id, oldEmail: row.old_email, canUndo: row.undo_until !== null }
}

/** The link counts from when it is mailed. @returns false when the change was taken back meanwhile */
export async function keepUndoLink(db: Db, id: number, hash: string, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('email_changes')
    .set({ undo_hash: hash, undo_until: until })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whose change a mailed link takes back, and since when it has stood. */
export async function findUndo(
  db: Db,
  hash: string,
  now: number,
): Promise<{ id: number; userId: number; oldEmail: string; changedAt: number } | undefined> {
  const row = await db
    .selectFrom('email_changes')
    .select(['id', 'user_id', 'old_email', 'changed_at'])
    .where('undo_hash', '=', hash)
    .where('undo_until', '>', now)
    .executeTakeFirst()
  return row && { id: row.id, userId: row.user_id, oldEmail: row.old_email, changedAt: row.changed_at }
}

/**
 * Takes a change back with all that came after it, so that their links stop working; earlier ones stay good. Of several
 * requests at once, this holds for one only.
 */
export async function takeUndo(transaction: Db, userId: number, id: number): Promise<boolean> {
  const rows = await transaction
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where('id', '>=', id)
    .returning('id')
    .execute()
  return rows.some((row) => row.id === id)
}

export async function deleteEmailChange(db: Db, id: number): Promise<void> {
  await db.deleteFrom('email_changes').where('id', '=', id).execute()
}

/**
 * No mailed link takes a change back any more: one that was used after a backup would be good once more. How long the address
 * is held stays.
 * @scans: asked once after a restore.
 */
export async function endAllUndoLinks(transaction: Db): Promise<void> {
  await transaction
    .updateTable('email_changes')
    // No hash of a token looks so.
    .set({ undo_hash: sql<string>`'ended ' || id` })
    .where('undo_hash', 'is not', null)
    .execute()
}

/** Changes that nobody can take back any more. */
export async function listOldEmailChanges(db: Db, now: number): Promise<number[]> {
  const rows = await db.selectFrom('email_changes').select('id').where('undo_until', '<=', now).execute()
  return rows.map(({ id }) => id)
}

/** Unless a link that was mailed meanwhile takes it back. */
export async function deleteOldEmailChange(db: Db, id: number, now: number): Promise<void> {
  await db.deleteFrom('email_changes').where('id', '=', id).where('undo_until', '<=', now).execute()
}

export async function deleteEmailChangesOf(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}
