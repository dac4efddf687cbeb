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

export async function deleteNotificationsOf(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('notifications').where('user_id', '=', userId).execute()
}

/** What is erased of one owner, as notifications know it. */
export interface ErasedThings {
  ownerId: number
  collections: readonly number[]
  tickets: readonly number[]
  /** That anything of it ever had. */
  titles: readonly string[]
}

const OF_TICKETS = ['ANSWER_TICKET', 'UNDELIVERED_ANSWER'] as const

/**
 * What people were told about it. Where a path is missing the title tells what it was about.
 * @scans: somebody is erased a few times a year.
 */
export async function deleteNotificationsAbout(transaction: Db, erased: ErasedThings): Promise<void> {
  const { ownerId, collections, tickets, titles } = erased
  const toPaths = (ids: readonly number[]) => ids.map(String)
  if (collections.length > 0)
    await transaction
      .deleteFrom('notifications')
      .where('type', 'not in', OF_TICKETS)
      .where('path', 'in', toPaths(collections))
      .execute()
  if (tickets.length > 0)
    await transaction
      .deleteFrom('notifications')
      .where('type', 'in', OF_TICKETS)
      .where('path', 'in', toPaths(tickets))
      .execute()
  if (titles.length > 0)
    await transaction
      .deleteFrom('notifications')
      .where('path', 'is', null)
      .where('title', 'in', titles)
      // Of others only who decided was ever told, when no mail reached the owner.
      .where(({ eb, or }) => or([eb('user_id', '=', ownerId), eb('type', '=', 'UNDELIVERED_MAIL')]))
      .execute()
}
