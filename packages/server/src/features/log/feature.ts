import type { Feature } from '../../feature.ts'
import { logAddresses } from './routes.ts'

export const log: Feature = {
  name: 'log',
  addresses: logAddresses,
  tend: ({ log: kept }) => kept.tend(),
}
