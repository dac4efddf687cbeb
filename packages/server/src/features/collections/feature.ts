import type { Feature } from '../../feature.ts'
import { collectionRoutes } from './routes.ts'

export const collections: Feature = {
  name: 'collections',
  tables: ['collections'],
  routes: collectionRoutes,
}
