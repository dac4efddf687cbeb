import type { Insertable } from 'kysely'
import { compileOnce } from '../db/compile-once.ts'
import type { Db } from '../db/open.ts'
import type { AuditEntryRow, AuditViewRow } from '../db/audit-tables.ts'
import type { NotificationRow } from '../db/schema.ts'

const findRightsOfSession = compileOnce((db, given: { session: number }) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.is_staff', 'u.is_admin', 'u.is_superuser', 'u.is_email_verified'])
    .where('s.id', '=', given.session)
    .where('u.is_active', '=', 1),
)

/** What the person of a session may do. @returns undefined once it has ended, or they are out */
export async function findRights(transaction: Db, sessionId: number) {
  const [row] = await findRightsOfSession(transaction, { session: sessionId })
  return row
}

/** In the transaction of what it records. It can never be taken back or changed. */
export async function insertEntry(
  transaction: Db,
  entry: Omit<Insertable<AuditEntryRow>, 'id' | 'link_id' | 'hash'>,
): Promise<void> {
  await transaction.insertInto('audit_entries').values(entry).execute()
}

/** In the transaction of what it tells about. */
export async function insertNotification(
  transaction: Db,
  values: Omit<Insertable<NotificationRow>, 'id' | 'is_read'>,
): Promise<void> {
  await transaction
    .insertInto('notifications')
    .values({ ...values, is_read: 0 })
    .execute()
}

type ViewKey = Omit<AuditViewRow, 'seen_at'>

/** Views after one time and until another. */
export interface ViewSpan {
  after: number
  until: number
}

/** Whether somebody's view of a thing was recorded within it. */
export async function hasViewWithin(db: Db, key: ViewKey, { after, until }: ViewSpan): Promise<boolean> {
  const row = await db
    .selectFrom('audit_views')
    .select('seen_at')
    .where('actor_id', '=', key.actor_id)
    .where('action', '=', key.action)
    .where('object_id', '=', key.object_id)
    .where('seen_at', '>', after)
    .where('seen_at', '<=', until)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when another view of the same was recorded within the span: of several at once one is. */
export async function takeView(transaction: Db, view: AuditViewRow, { after, until }: ViewSpan): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('audit_views')
    .values(view)
    .onConflict((conflict) =>
      conflict
        .columns(['actor_id', 'action', 'object_id'])
        .doUpdateSet({ seen_at: view.seen_at })
        .where(({ eb, or }) => or([eb('audit_views.seen_at', '<=', after), eb('audit_views.seen_at', '>', until)])),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Whoever looks at a thing from now on is recorded, whenever they last were. */
export async function forgetViews(transaction: Db, action: string, objectId: number): Promise<void> {
  await transaction.deleteFrom('audit_views').where('action', '=', action).where('object_id', '=', objectId).execute()
}

/**
 * By two statements, each of which an index serves.
 * @scans with `seen_at >`: hardly any lies in the future; where it is explained nearly all do
 */
export async function deleteOtherViews(db: Db, { after, until }: ViewSpan): Promise<void> {
  await db.deleteFrom('audit_views').where('seen_at', '<=', after).execute()
  await db.deleteFrom('audit_views').where('seen_at', '>', until).execute()
}
