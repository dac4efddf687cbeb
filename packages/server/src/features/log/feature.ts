import type { Feature } from '../../feature.ts'
import { logAddresses } from './routes.ts'

export const log: Feature = {
  name: 'log',
  tables: ['witness_state'],
  addresses: logAddresses,
  tend: ({ log: kept }) => kept.tend(),
}
