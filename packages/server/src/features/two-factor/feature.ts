import type { Feature } from '../../feature.ts'
import { twoFactorRoutes } from './routes.ts'
import { sweepTwoFactor } from './set-up.ts'
import { twoFactorEvents } from './events.ts'
import { deleteAllChallenges, deleteTwoFactor } from './queries.ts'

export const twoFactor: Feature = {
  name: 'two-factor',
  tables: ['authenticators', 'pending_authenticators', 'used_codes', 'recovery_codes', 'challenges'],
  events: twoFactorEvents,
  routes: twoFactorRoutes,
  sweep: sweepTwoFactor,
  restored: deleteAllChallenges,
  forget: (transaction, { id }) => deleteTwoFactor(transaction, id),
}
