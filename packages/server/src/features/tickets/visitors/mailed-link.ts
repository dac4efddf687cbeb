import { TICKET_LINK_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { byClient } from '../../../http/limits.ts'
import { attemptMail } from '../../../http/mail-limits.ts'
import { hashToken, looksLikeToken, makeToken } from '../../../secrets/tokens.ts'
import { recordEvents } from '../../../events/record-events.ts'
import type { Visitor } from '../asker.ts'
import { ticketEvents } from '../events.ts'
import { findTicketOfAddress } from '../queries.ts'
import { insertTicketLink, insertVisitorAddress, takeTicketLink } from './queries.ts'
import { changeVisitorToken } from './visitor-cookie.ts'
import { TICKET_LINK_ADDRESS, TICKET_LINK_MAILS } from '../limits.ts'

/**
 * Has a link to the tickets of an address mailed to it. Answer and work are the same where it has none.
 * @throws AppError `rate_limited` after 5 of one asker within an hour to one address.
 */
export async function requestTicketLink(deps: Deps, clientAddress: string, email: string): Promise<{ detail: string }> {
  const byAddress = byClient(TICKET_LINK_ADDRESS, clientAddress)
  await attemptMail(deps.limits, TICKET_LINK_MAILS, { email, from: clientAddress }, ...byAddress)
  await recordEvents(deps, async (transaction, emit) => {
    const ticketId = await findTicketOfAddress(transaction, email)
    await emit(ticketEvents.ticket_link_asked(ticketId ?? null))
  })
  return { detail: sayEnglish('ticket_link_sent') }
}

/**
 * Makes a link for a mail that is about to be sent: its token never waits in the outbox.
 * @returns the address to put into the mail.
 */
export async function makeTicketLink({ db, now, config }: Deps, email: string): Promise<string> {
  const token = makeToken()
  await insertTicketLink(db, { hash: hashToken(token), email, expiresAt: now() + TICKET_LINK_SECONDS * 1000 })
  return `${config.publicUrl}/ticket/open/${token}`
}

/**
 * Uses up a mailed link: the browser's cookie opens the tickets of its address from now on.
 * @returns the address, and the token the cookie is to hold.
 * @throws AppError `link_invalid` when it is unknown, has run out or was used, also of two at once.
 */
export async function useTicketLink(
  deps: Deps,
  visitor: Visitor,
  token: string,
): Promise<{ email: string; cookieToken: string }> {
  if (!looksLikeToken(token)) throw new AppError('link_invalid')
  return recordEvents(deps, async (transaction, emit) => {
    const at = deps.now()
    const link = await takeTicketLink(transaction, hashToken(token), at)
    if (!link) throw new AppError('link_invalid')
    const known = await changeVisitorToken(transaction, at, visitor)
    await insertVisitorAddress(transaction, known.visitorId, link.email_key)
    await emit(ticketEvents.ticket_link_used((await findTicketOfAddress(transaction, link.email)) ?? null))
    return { email: link.email, cookieToken: known.token }
  })
}
