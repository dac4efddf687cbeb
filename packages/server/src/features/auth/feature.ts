import { sends, type Feature } from '../../feature.ts'
import { findNamedUser } from '../../mail/recipient.ts'
import { verificationMail } from '../users/work.ts'
import { authRoutes } from './routes.ts'
import { sweepLinks } from './service.ts'
import { sendVerificationMail } from './verification-mail.ts'
import { authEvents } from './events.ts'
import { deleteAllLinks, deleteLinksOf } from './queries.ts'

export const auth: Feature = {
  name: 'auth',
  tables: ['link_tokens'],
  events: authEvents,
  routes: authRoutes,
  mails: [sends(verificationMail, (deps, { user_id }) => sendVerificationMail(deps, user_id), findNamedUser)],
  sweep: sweepLinks,
  restored: deleteAllLinks,
  forget: (transaction, { id }) => deleteLinksOf(transaction, id),
}
