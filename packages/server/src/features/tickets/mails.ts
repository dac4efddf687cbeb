import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import { findUserInfo } from '../users/queries.ts'
import { findMessage, findTicketAddressee } from './queries.ts'
import { makeTicketLink } from './visitors/mailed-link.ts'

/** Mails a visitor the link they asked for. Silent where the address has no ticket. */
export async function sendTicketLinkMail(deps: Deps, ticketId: number | null): Promise<void> {
  const email = ticketId === null ? null : (await findTicketAddressee(deps.reads, ticketId))?.email
  if (!email) return
  const { organisation } = deps.config
  await deps.mailer.send({
    to: email,
    ...composeMail(deps.config, {
      subject: splitEnglish('mail_ticket_link_subject', { organisation }),
      heading: sayEnglish('mail_ticket_link_heading'),
      greetingName: email,
      paragraphs: [splitEnglish('mail_ticket_link_text', { organisation })],
      action: { label: sayEnglish('mail_ticket_link_action'), url: await makeTicketLink(deps, email) },
      closing: sayEnglish('mail_ticket_link_closing'),
    }),
  })
}

/** Tells who asked what was answered. Nobody is mailed whose address is not verified or who is shut out. */
export async function sendTicketAnswerMail(deps: Deps, messageId: number): Promise<void> {
  const message = await findMessage(deps.reads, messageId)
  const ticket = message && (await findTicketAddressee(deps.reads, message.ticket_id))
  const reader = ticket && (await findReader(deps, ticket))
  if (!reader) return
  const { organisation } = deps.config
  await deps.mailer.send({
    to: reader.email,
    ...composeMail(deps.config, {
      subject: splitEnglish('mail_ticket_answer_subject', { title: ticket.title }),
      heading: sayEnglish('mail_ticket_answer_heading'),
      greetingName: reader.name,
      paragraphs: [splitEnglish('mail_ticket_answer_text', { title: ticket.title, organisation })],
      quote: message.text,
      action: { label: sayEnglish('mail_ticket_answer_action'), url: reader.url },
      closing: reader.closing,
    }),
  })
}

/** A visitor's mail carries a link that opens the ticket in any browser; a person signs in. */
async function findReader(
  deps: Deps,
  { owner_id: ownerId, email }: { owner_id: number | null; email: string | null },
): Promise<{ email: string; name: string; url: string; closing: string } | undefined> {
  if (ownerId === null) {
    if (email === null) return undefined
    const closing = sayEnglish('mail_ticket_answer_closing_visitor')
    return { email, name: email, url: await makeTicketLink(deps, email), closing }
  }
  const user = await findUserInfo(deps.reads, ownerId)
  if (!user?.is_active || !user.is_email_verified) return undefined
  const closing = sayEnglish('mail_ticket_answer_closing')
  return { email: user.email, name: user.username, url: `${deps.config.publicUrl}/ticket`, closing }
}
