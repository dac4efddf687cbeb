import { sends, type Feature } from '../../feature.ts'
import { sendJoinMail } from './join.ts'
import { deleteAllPending, deleteIdentitiesOf, findPendingById } from './queries.ts'
import { providerLoginRoutes } from './routes.ts'
import { sweepProviderLogin } from './service.ts'
import { providerJoinMail } from './work.ts'
import { providerEvents } from './events.ts'

export const providerLogin: Feature = {
  name: 'provider-login',
  tables: ['provider_uses', 'provider_entries', 'identities', 'pending_identities'],
  events: providerEvents,
  routes: providerLoginRoutes,
  mails: [
    sends(
      providerJoinMail,
      (deps, { pending_identity_id }) => sendJoinMail(deps, pending_identity_id),
      async (reads, { pending_identity_id }) => {
        const pending = await findPendingById(reads, pending_identity_id)
        return pending?.user_id ? { userId: pending.user_id } : undefined
      },
    ),
  ],
  sweep: sweepProviderLogin,
  restored: deleteAllPending,
  forget: (transaction, { id }) => deleteIdentitiesOf(transaction, id),
}
