import type { Feature } from '../../feature.ts'
import { certificateRoutes } from './routes.ts'
import { certificateEvents } from './events.ts'

export const certificates: Feature = {
  name: 'certificates',
  tables: ['proofs'],
  events: certificateEvents,
  routes: certificateRoutes,
}
