import type { Feature } from '../../feature.ts'
import { installMetrics } from './metrics.ts'
import { healthRoutes } from './routes.ts'

export const health: Feature = {
  name: 'health',
  routes: healthRoutes,
  addresses: installMetrics,
}
