import type { Feature } from '../../feature.ts'
import { notificationRoutes } from './routes.ts'

export const notifications: Feature = {
  name: 'notifications',
  tables: ['notifications'],
  routes: notificationRoutes,
}
