import { sends, type Feature } from '../../feature.ts'
import { findNamedUser } from '../../mail/recipient.ts'
import { securityMail } from '../users/work.ts'
import { sendEmailChangedMail, sendResetMail, sendSecurityMail } from './mails.ts'
import { deleteEmailChangesOf, endAllUndoLinks, findEmailChange } from './queries.ts'
import { accountRoutes } from './routes.ts'
import { sweepEmailChanges } from './undo-email.ts'
import { emailChangedMail, resetMail } from './work.ts'
import { accountEvents } from './events.ts'

export const account: Feature = {
  name: 'account',
  tables: ['email_changes'],
  events: accountEvents,
  routes: accountRoutes,
  mails: [
    sends(resetMail, (deps, { user_id }) => sendResetMail(deps, user_id), findNamedUser),
    sends(
      securityMail,
      (deps, { user_id, event, taken_back }) => sendSecurityMail(deps, user_id, event, taken_back),
      findNamedUser,
    ),
    sends(
      emailChangedMail,
      (deps, { email_change_id }) => sendEmailChangedMail(deps, email_change_id),
      (reads, { email_change_id }) => findEmailChange(reads, email_change_id),
    ),
  ],
  sweep: sweepEmailChanges,
  restored: endAllUndoLinks,
  forget: (transaction, { id }) => deleteEmailChangesOf(transaction, id),
}
