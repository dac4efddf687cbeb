import type { MailProblem } from '@proofdesk/contract/mail-delivery'
import { defineEvents } from '../../events/event.ts'
import type { MailCause } from '../../mail/recipient.ts'

const done = (by: number) => ({ audit: { actor: by, object: { kind: 'installation', id: null } } }) as const

/** @param userId Whose address it was; null for a visitor's. @param cause Who is told beside them. */
function tellRefusal(userId: number | null, problem: MailProblem, cause: MailCause | undefined) {
  const collection = cause && 'collection' in cause.about ? cause.about.collection : null
  return {
    audit: {
      actor: null,
      object: whatFor(userId, cause),
      ...(collection !== null && { collection }),
      details: { problem },
    } as const,
    ...(cause && { notify: toNotification(cause) }),
    tell: cause ? [{ topics: ['notifications'] as const, user: cause.userId }] : [],
  }
}

/** A visitor has no account: what stands for them is their ticket. */
function whatFor(userId: number | null, cause: MailCause | undefined) {
  if (userId === null && cause && 'ticket' in cause.about) return { kind: 'ticket', id: cause.about.ticket } as const
  return { kind: 'user', id: userId } as const
}

function toNotification({ userId: user, title, about }: MailCause) {
  return 'ticket' in about
    ? ({ user, type: 'UNDELIVERED_ANSWER', path: String(about.ticket), title } as const)
    : ({
        user,
        type: 'UNDELIVERED_MAIL',
        path: about.collection === null ? null : String(about.collection),
        title,
      } as const)
}

export const mailEvents = defineEvents({ mail_tested: done, mails_hastened: done, mail_refused: tellRefusal })
