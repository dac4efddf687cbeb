import type { Feature } from '../../feature.ts'
import { mailDeliveryRoutes } from './routes.ts'
import { mailEvents } from './events.ts'
import { deleteOldReturns } from './queries.ts'

export const mailDelivery: Feature = {
  name: 'mail-delivery',
  tables: ['told_returns'],
  events: mailEvents,
  routes: mailDeliveryRoutes,
  sweep: ({ db, now }) => deleteOldReturns(db, now()),
}
