import type { Deps } from '../../deps.ts'
import type { OutboxHandlers } from '../../outbox/outbox.ts'
import { sendTicketAnswerMail, sendTicketLinkMail } from './mails.ts'

/** What follows the commits of this feature. */
export function listTicketHandlers(deps: Deps): Pick<OutboxHandlers, 'ticket_answer_mail' | 'ticket_link_mail'> {
  return {
    ticket_answer_mail: ({ message_id }) => sendTicketAnswerMail(deps, message_id),
    ticket_link_mail: ({ ticket_id }) => sendTicketLinkMail(deps, ticket_id),
  }
}
