import type { Feature } from '../../feature.ts'
import { directoryRoutes } from './routes.ts'

export const directory: Feature = {
  name: 'directory',
  routes: directoryRoutes,
}
