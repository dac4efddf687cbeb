import type { Feature } from '../../feature.ts'
import { mailDeliveryRoutes } from './routes.ts'
import { mailEvents } from './events.ts'

export const mailDelivery: Feature = {
  name: 'mail-delivery',
  events: mailEvents,
  routes: mailDeliveryRoutes,
}
