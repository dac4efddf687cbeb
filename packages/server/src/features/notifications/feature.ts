import type { Feature } from '../../feature.ts'
import { notificationRoutes } from './routes.ts'
import { notificationEvents } from './events.ts'
import { deleteNotificationsOf } from './queries.ts'

export const notifications: Feature = {
  name: 'notifications',
  tables: ['notifications'],
  events: notificationEvents,
  routes: notificationRoutes,
  forget: (transaction, { id }) => deleteNotificationsOf(transaction, id),
}
