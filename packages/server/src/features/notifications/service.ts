import { NOTIFICATIONS_SHOWN } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Notification } from '@proofdesk/contract/notifications'
import type { PageOf } from '@proofdesk/contract/paging'
import { canOpenNotifications, type Viewer } from '@proofdesk/contract/permissions'
import type { Db } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import { recordEvents, type EventDeps } from '../../events/record-events.ts'
import { notificationEvents } from './events.ts'
import { listNewestNotifications, markAllRead, markRead } from './queries.ts'

/** The newest 20 of one's own. @throws AppError `email_not_verified` */
export async function showNotifications({ reads }: { reads: Db }, viewer: Viewer): Promise<PageOf<Notification>> {
  if (!canOpenNotifications(viewer)) throw new AppError('email_not_verified')
  const results = await listNewestNotifications(reads, viewer.id, NOTIFICATIONS_SHOWN)
  return { count: results.length, next: null, previous: null, results }
}

/**
 * Also the other screens of the same person follow.
 * @throws AppError `email_not_verified`, or `notification_not_found` for what is missing or another person's.
 */
export async function readNotification(deps: EventDeps, viewer: Viewer, id: number): Promise<{ detail: string }> {
  if (!canOpenNotifications(viewer)) throw new AppError('email_not_verified')
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await markRead(transaction, viewer.id, id))) throw new AppError('notification_not_found')
    await emit(notificationEvents.notifications_read(viewer.id))
  })
  return { detail: sayEnglish('notification_read') }
}

/** Also the other screens of the same person follow. @throws AppError `email_not_verified` */
export async function readAllNotifications(
  deps: EventDeps,
  viewer: Viewer,
  through: number | undefined,
): Promise<{ detail: string; count: number }> {
  if (!canOpenNotifications(viewer)) throw new AppError('email_not_verified')
  const count = await recordEvents(deps, async (transaction, emit) => {
    const read = await markAllRead(transaction, viewer.id, through)
    if (read > 0) await emit(notificationEvents.notifications_read(viewer.id))
    return read
  })
  return { detail: sayEnglish('notifications_read'), count }
}
