import type { Deps } from '../../deps.ts'
import type { OutboxHandlers } from '../../outbox/outbox.ts'
import { sendEmailChangedMail, sendResetMail, sendSecurityMail } from './mails.ts'

export function listAccountHandlers(
  deps: Deps,
): Pick<OutboxHandlers, 'reset_mail' | 'security_mail' | 'email_changed_mail'> {
  return {
    reset_mail: ({ user_id }) => sendResetMail(deps, user_id),
    security_mail: ({ user_id, event }) => sendSecurityMail(deps, user_id, event),
    email_changed_mail: ({ email_change_id }) => sendEmailChangedMail(deps, email_change_id),
  }
}
