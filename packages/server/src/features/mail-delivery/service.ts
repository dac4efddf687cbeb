import {
  MailKind,
  type FailingMail,
  type MailRecord,
  type MailState,
  type MailTest,
} from '@proofdesk/contract/mail-delivery'
import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import { canSeeMail, type Viewer } from '@proofdesk/contract/permissions'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEvent } from '../../events/record-events.ts'
import { composeMail } from '../../mail/compose.ts'
import { lookUpMailRecords } from '../../mail/dns/look-up.ts'
import { describeFailure, nameProblem } from '../../mail/problem.ts'
import { listMailEvents } from '../../mail/queries.ts'
import { sayMinute } from '../../mail/say-minute.ts'
import { countWaiting, hastenRows, listFailing, type FailingRow } from '../../outbox/queries.ts'
import { findUserInfo } from '../users/queries.ts'
import { mailEvents } from './events.ts'
import { nameRecipient } from './name-recipient.ts'
import { MAIL_RECORDS, MAIL_RETRY, MAIL_TEST } from './limits.ts'

const FAILURES_SHOWN = 20

/** How mail goes out, what waits and what keeps failing. @throws AppError `forbidden` for everyone but superusers. */
export async function showMailState(deps: Deps, viewer: Viewer): Promise<MailState> {
  if (!canSeeMail(viewer)) throw new AppError('forbidden')
  const { reads, config, mailer } = deps
  const [counts, rows, events] = await Promise.all([
    countWaiting(reads, MailKind.options),
    listFailing(reads, MailKind.options, FAILURES_SHOWN),
    listMailEvents(reads),
  ])
  const delivered = events.find(({ name }) => name === 'delivered')
  const givenUp = events.find(({ name }) => name === 'given_up')
  const { name, address } = config.mailFrom
  return {
    ...mailer.route,
    sender: name === '' ? address : `${name} <${address}>`,
    ...counts,
    failures: await Promise.all(rows.map((row) => toFailingMail(deps, row))),
    last_delivered_at: delivered ? writeTime(delivered.at) : null,
    last_given_up: givenUp
      ? {
          at: writeTime(givenUp.at),
          recipient: givenUp.recipient ?? '',
          problem: givenUp.problem ?? 'other',
          words: givenUp.words,
        }
      : null,
  }
}

async function toFailingMail(deps: Deps, row: FailingRow): Promise<FailingMail> {
  const kind = MailKind.parse(row.kind)
  return {
    id: row.id,
    kind,
    recipient: await nameRecipient(deps, kind, row.payload),
    created_at: writeTime(row.createdAt),
    attempts: row.attempts,
    next_try_at: writeTime(row.dueAt),
    problem: nameProblem(row.reason),
    words: row.words,
  }
}

/**
 * Sends a mail to the caller's own address, past the outbox, and waits for what becomes of it. One that is delivered
 * shows that mail goes out again, so those that wait are tried at once.
 * @throws AppError `forbidden`, `rate_limited`
 */
export async function testMail(deps: Deps, viewer: Viewer): Promise<MailTest> {
  if (!canSeeMail(viewer)) throw new AppError('forbidden')
  const { config, limits, mailer, now } = deps
  await limits.attempt({ limit: MAIL_TEST, key: viewer.id })
  await recordEvent(deps, mailEvents.mail_tested(viewer.id))
  const user = await findUserInfo(deps.reads, viewer.id)
  if (!user) throw new AppError('not_signed_in')
  const names = { organisation: config.organisation, username: user.username }
  try {
    await mailer.send(
      {
        to: user.email,
        ...composeMail(config, {
          subject: splitEnglish('mail_test_subject', names),
          heading: sayEnglish('mail_test_heading'),
          greetingName: user.username,
          paragraphs: [splitEnglish('mail_test_text', names)],
          facts: [
            { name: sayEnglish('mail_fact_way'), value: mailer.route.place, isCode: true },
            { name: sayEnglish('mail_fact_sent'), value: sayMinute(now()), isCode: true },
          ],
          closing: sayEnglish('mail_test_closing'),
        }),
      },
      'short',
    )
  } catch (error) {
    deps.logger.warn('mail: the test mail was not delivered', describeFailure(error))
    return { recipient: user.email, is_delivered: false, ...describeFailure(error) }
  }
  await hastenMails(deps)
  return { recipient: user.email, is_delivered: true, problem: null, words: null }
}

/** Tries all waiting mails at once. @throws AppError `forbidden`, `rate_limited` */
export async function retryWaiting(deps: Deps, viewer: Viewer): Promise<{ count: number }> {
  if (!canSeeMail(viewer)) throw new AppError('forbidden')
  await deps.limits.attempt({ limit: MAIL_RETRY, key: viewer.id })
  await recordEvent(deps, mailEvents.mails_hastened(viewer.id))
  return { count: await hastenMails(deps) }
}

/** What the records say that tell receivers whose our mails are. @throws AppError `forbidden`, `rate_limited` */
export async function lookUpRecords(deps: Deps, viewer: Viewer): Promise<{ records: MailRecord[] }> {
  if (!canSeeMail(viewer)) throw new AppError('forbidden')
  await deps.limits.attempt({ limit: MAIL_RECORDS, key: viewer.id })
  return { records: await lookUpMailRecords(deps.config, deps.openResolver()) }
}

async function hastenMails({ db, now, outbox }: Deps): Promise<number> {
  const count = await hastenRows(db, MailKind.options, now())
  outbox.ring()
  return count
}

function writeTime(at: number): string {
  return new Date(at).toISOString()
}
