import type { Feature } from '../../feature.ts'
import { certificateRoutes } from './routes.ts'

export const certificates: Feature = {
  name: 'certificates',
  tables: ['proofs'],
  routes: certificateRoutes,
}
