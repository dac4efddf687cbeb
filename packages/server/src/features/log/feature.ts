import type { Feature } from '../../feature.ts'
import { wantOldPages } from '../../log/status/make-status-pages.ts'
import { logAddresses } from './routes.ts'

export const log: Feature = {
  name: 'log',
  tables: ['witness_state'],
  addresses: logAddresses,
  sweep: wantOldPages,
  tend: ({ log: kept }) => kept.tend(),
}
