import type { Feature } from '../../feature.ts'
import { mailDeliveryRoutes } from './routes.ts'

export const mailDelivery: Feature = {
  name: 'mail-delivery',
  routes: mailDeliveryRoutes,
}
