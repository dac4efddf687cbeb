import type { Feature } from '../../feature.ts'
import { sessionRoutes } from './routes.ts'
import { sweepSessions } from './service.ts'
import { sessionEvents } from './events.ts'
import { deleteAllSessions, deleteSignInsOf } from './queries.ts'

export const sessions: Feature = {
  name: 'sessions',
  tables: ['sessions', 'session_tokens', 'known_networks'],
  events: sessionEvents,
  routes: sessionRoutes,
  sweep: sweepSessions,
  restored: deleteAllSessions,
  forget: (transaction, { id }) => deleteSignInsOf(transaction, id),
}
