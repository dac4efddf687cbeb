import type { Comment } from '@proofdesk/contract/comments'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { Db } from '../../db/open.ts'

export interface CommentRecord extends Omit<Comment, 'may'> {
  collection_id: number
}

function selectComments(db: Db) {
  return db
    .selectFrom('comments as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.id', 'm.collection_id', 'm.user_id', 'u.username', 'u.is_staff', 'm.text', 'm.created_at'])
}

type SelectedComment = Awaited<ReturnType<ReturnType<typeof selectComments>['executeTakeFirstOrThrow']>>

function toRecord({ user_id, is_staff, created_at, ...same }: SelectedComment): CommentRecord {
  return { ...same, user: user_id, is_staff: is_staff === 1, created_at: new Date(created_at).toISOString() }
}

/** All of a collection, oldest first. */
export async function listComments(db: Db, collectionId: number): Promise<CommentRecord[]> {
  const rows = await selectComments(db)
    .where('m.collection_id', '=', collectionId)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
  return rows.map(toRecord)
}

export async function findComment(db: Db, id: number): Promise<CommentRecord | undefined> {
  const row = await selectComments(db).where('m.id', '=', id).executeTakeFirst()
  return row && toRecord(row)
}

export async function insertComment(
  db: Db,
  values: { collectionId: number; by: Pick<Viewer, 'id' | 'username' | 'is_staff'>; text: string; now: number },
): Promise<CommentRecord> {
  const { collectionId, by, text, now } = values
  const row = await db
    .insertInto('comments')
    .values({
      collection_id: collectionId,
      user_id: by.id,
      text,
      created_at: now,
    })
    .returning(['id', 'collection_id', 'user_id', 'text', 'created_at'])
    .executeTakeFirstOrThrow()
  return toRecord({ ...row, username: by.username, is_staff: by.is_staff ? 1 : 0 })
}

/** @returns false when it was gone already, or is somebody else's. */
export async function deleteComment(db: Db, id: number, userId: number): Promise<boolean> {
  const result = await db.deleteFrom('comments').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/**
 * Whatever somebody wrote under collections of others, which are held.
 * @scans: somebody is erased a few times a year.
 */
export async function deleteCommentsOf(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('comments').where('user_id', '=', userId).execute()
}

/**
 * The collection of each comment of somebody.
 * @scans: somebody is erased a few times a year.
 */
export async function listCommented(transaction: Db, userId: number): Promise<number[]> {
  const rows = await transaction
    .selectFrom('comments')
    .select('collection_id')
    .where('user_id', '=', userId)
    .orderBy('collection_id')
    .execute()
  return rows.map(({ collection_id }) => collection_id)
}
