import type { Feature } from '../../feature.ts'
import { directoryEvents } from './events.ts'
import { directoryRoutes } from './routes.ts'

export const directory: Feature = {
  name: 'directory',
  events: directoryEvents,
  routes: directoryRoutes,
}
