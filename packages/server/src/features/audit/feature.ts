import type { Feature } from '../../feature.ts'
import { auditEvents } from './events.ts'
import { auditRoutes } from './routes.ts'

export const audit: Feature = {
  name: 'audit',
  events: auditEvents,
  routes: auditRoutes,
}
