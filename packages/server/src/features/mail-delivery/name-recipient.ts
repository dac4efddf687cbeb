import type { MailKind } from '@proofdesk/contract/mail-delivery'
import type { Db } from '../../db/open.ts'
import { maskAddress } from '../../mail/problem.ts'
import type { OutboxKind, OutboxPayloads } from '../../outbox/outbox.ts'
import { findEmailChange } from '../account/queries.ts'
import { findProof } from '../certificates/queries.ts'
import { findPendingById } from '../provider-login/queries.ts'
import { findMessage, findTicketAddressee } from '../tickets/queries.ts'
import { findUserInfo } from '../users/queries.ts'

/** The work that is mail; the compiler compares them with the contract's kinds, in both directions. */
type MailWork = Extract<OutboxKind, `${string}_mail`>

/** Somebody with an account, or a visitor by their address. */
type Recipient = { userId: number } | { address: string } | undefined

const FINDERS: { [K in MailWork & MailKind]: (reads: Db, payload: OutboxPayloads[K]) => Promise<Recipient> } & Record<
  MailKind | MailWork,
  unknown
> = {
  verification_mail: async (_, { user_id }) => ({ userId: user_id }),
  reset_mail: async (_, { user_id }) => ({ userId: user_id }),
  security_mail: async (_, { user_id }) => ({ userId: user_id }),
  rejection_mail: async (_, { user_id }) => ({ userId: user_id }),
  email_changed_mail: (reads, { email_change_id }) => findEmailChange(reads, email_change_id),
  provider_join_mail: async (reads, { pending_identity_id }) => {
    const pending = await findPendingById(reads, pending_identity_id)
    return pending?.user_id ? { userId: pending.user_id } : undefined
  },
  approval_mail: async (reads, { proof_id }) => {
    const proof = await findProof(reads, proof_id)
    return proof && { userId: proof.owner_id }
  },
  ticket_answer_mail: async (reads, { message_id }) => {
    const message = await findMessage(reads, message_id)
    return message && findAsker(reads, message.ticket_id)
  },
  ticket_link_mail: async (reads, { ticket_id }) => (ticket_id === null ? undefined : findAsker(reads, ticket_id)),
}

async function findAsker(reads: Db, ticketId: number): Promise<Recipient> {
  const ticket = await findTicketAddressee(reads, ticketId)
  if (!ticket) return undefined
  if (ticket.owner_id !== null) return { userId: ticket.owner_id }
  return ticket.email === null ? undefined : { address: ticket.email }
}

/** Whom a waiting mail is for: a username, or a visitor's address with most of it hidden; null when they are gone. */
export async function nameRecipient(
  { reads }: { reads: Db },
  kind: MailKind,
  payload: unknown,
): Promise<string | null> {
  const find = FINDERS[kind] as (reads: Db, payload: unknown) => Promise<Recipient>
  const recipient = await find(reads, payload)
  if (!recipient) return null
  if ('address' in recipient) return maskAddress(recipient.address)
  return (await findUserInfo(reads, recipient.userId))?.username ?? null
}
