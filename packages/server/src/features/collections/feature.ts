import type { Feature } from '../../feature.ts'
import { markLapsed } from './counts/mark-lapsed.ts'
import { collectionRoutes } from './routes.ts'
import { collectionEvents } from './events.ts'

export const collections: Feature = {
  name: 'collections',
  tables: ['collections'],
  events: collectionEvents,
  routes: collectionRoutes,
  tend: markLapsed,
}
