import type { Feature } from '../../feature.ts'
import { sessionRoutes } from './routes.ts'
import { sweepSessions } from './service.ts'

export const sessions: Feature = {
  name: 'sessions',
  tables: ['sessions', 'session_tokens', 'known_networks'],
  routes: sessionRoutes,
  sweep: sweepSessions,
}
