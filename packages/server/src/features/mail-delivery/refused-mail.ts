import type { MailProblem } from '@proofdesk/contract/mail-delivery'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { recordEvents, type EventDeps } from '../../events/record-events.ts'
import type { MailDuty } from '../../feature.ts'
import { sendFor } from '../../mail/cause.ts'
import { LateMail, RefusedMail } from '../../mail/delivery-record.ts'
import type { SentMail } from '../../mail/message-id.ts'
import { describeFailure, maskAddress } from '../../mail/problem.ts'
import { writeMailEvent } from '../../mail/queries.ts'
import type { Tries } from '../../outbox/outbox.ts'
import type { Recipient } from '../../mail/recipient.ts'
import { findRecoveryAddress, findUserInfo } from '../users/queries.ts'
import { markMailRefused } from '../users/mail-refusal/queries.ts'
import { mailEvents } from './events.ts'
import { claimReturn } from './queries.ts'

type RefusalDeps = EventDeps & { reads: Db }
type Refused = Pick<MailDuty, 'findRecipient' | 'findCause'>

interface Refusal {
  problem: MailProblem
  words: string | null
}

/** Does the work of a mail. Where the mail server refuses it for good, or for days, those are told whom it concerns. */
export async function sendAndTell(deps: Deps, mail: MailDuty, payload: unknown, tries: Tries): Promise<void> {
  try {
    await sendFor({ kind: mail.of.kind, payload, tries }, () => mail.run(deps, payload, tries))
  } catch (error) {
    if (error instanceof RefusedMail)
      await tellRefusal(deps, mail, payload, (address) => address === error.address, describeFailure(error))
    // Whoever caused it believes that it came.
    else if (error instanceof LateMail) await tellRefusal(deps, mail, payload, () => false, describeFailure(error))
    throw error
  }
}

/**
 * Tells that a mail came back after a mail server had taken it, superusers too; once, since whoever was sent a mail can bring
 * its report as often as they like.
 * @returns whether this was the first report about it
 */
export async function tellReturn(
  deps: RefusalDeps,
  mail: Refused,
  { payload, wentTo, hash, readUntil }: SentMail,
  words: string | null,
): Promise<boolean> {
  const failure = { problem: 'came_back', words } as const
  const address = await findAddress(deps.reads, await mail.findRecipient(deps.reads, payload), wentTo)
  const recipient = address === undefined ? '…' : maskAddress(address)
  return tellRefusal(deps, mail, payload, wentTo, failure, async (transaction) => {
    if (!(await claimReturn(transaction, hash, readUntil))) return false
    await writeMailEvent(transaction, { name: 'given_up', at: deps.now(), recipient, ...failure })
    return true
  })
}

/** Of the addresses of an account, the one it was for; undefined when that has none of them any more. */
async function findAddress(reads: Db, recipient: Recipient, wentTo: SentMail['wentTo']): Promise<string | undefined> {
  if (!recipient) return undefined
  if ('address' in recipient) return recipient.address
  const known = await findRecoveryAddress(reads, recipient.userId)
  return [known?.email, known?.recoveryEmail].find((address) => address !== undefined && wentTo(address))
}

/**
 * Tells that a mail was refused or came back: its recipient, who sees it wherever they are signed in, and whoever caused it.
 * @param wentTo Whether the mail was for this address.
 * @param begin Comes first in the transaction, and says whether anybody is told.
 */
async function tellRefusal(
  deps: RefusalDeps,
  { findRecipient, findCause }: Refused,
  payload: unknown,
  wentTo: (address: string) => boolean,
  { problem, words }: Refusal,
  begin: (transaction: Db) => Promise<boolean> = async () => true,
): Promise<boolean> {
  const recipient = await findRecipient(deps.reads, payload)
  const user = recipient && 'userId' in recipient ? await findUserInfo(deps.reads, recipient.userId) : undefined
  const cause = await findCause(deps.reads, payload)
  return recordEvents(deps, async (transaction, emit) => {
    if (!(await begin(transaction))) return false
    // An older address of theirs says nothing about the one they have now.
    if (user && wentTo(user.email)) await markMailRefused(transaction, user.id, user.email, { at: deps.now(), words })
    await emit(mailEvents.mail_refused(user?.id ?? null, problem, cause))
    return true
  })
}
