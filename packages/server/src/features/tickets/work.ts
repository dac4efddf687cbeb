import { defineWork } from '../../outbox/outbox.ts'

export const ticketAnswerMail = defineWork<{ message_id: number }>('ticket_answer_mail')

/** Null where the address has no ticket: the row is there all the same, so that asking takes the same work. */
export const ticketLinkMail = defineWork<{ ticket_id: number | null }>('ticket_link_mail')
