import type { Notification } from '@proofdesk/contract/notifications'
import type { Db } from '../../db/open.ts'

export async function listNewestNotifications(db: Db, userId: number, limit: number): Promise<Notification[]> {
  const rows = await db
    .selectFrom('notifications')
    .select(['id', 'type', 'path', 'title', 'file', 'is_read', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...row,
    is_read: row.is_read === 1,
    created_at: new Date(row.created_at).toISOString(),
  }))
}

/** @returns false when there is none with this id, or it is another person's. */
export async function markRead(db: Db, userId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ is_read: 1 })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @param through Newest id that is meant; all when undefined. @returns how many were unread. */
export async function markAllRead(db: Db, userId: number, through: number | undefined): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ is_read: 1 })
    .where('user_id', '=', userId)
    .where('is_read', '=', 0)
    .$if(through !== undefined, (update) => update.where('id', '<=', through ?? 0))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
