import type { Feature } from '../../feature.ts'
import { notificationRoutes } from './routes.ts'
import { notificationEvents } from './events.ts'

export const notifications: Feature = {
  name: 'notifications',
  tables: ['notifications'],
  events: notificationEvents,
  routes: notificationRoutes,
}
