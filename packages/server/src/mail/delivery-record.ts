import type { Db } from '../db/open.ts'
import { nameFailure, type Logger } from '../logger.ts'
import { HopelessWork, type Tries } from '../outbox/outbox.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { findMailWork } from './cause.ts'
import type { Mail, Mailer } from './mailer.ts'
import { makeMessageId } from './message-id.ts'
import { describeFailure, maskAddress } from './problem.ts'
import { writeMailEvent } from './queries.ts'

interface RecordDeps {
  db: Db
  logger: Logger
  now: () => number
  secrets: SecretBox
  /** The domain of the sender's address. */
  host: string
}

/** What a mail server refused for good is told with the address it was for. */
export class RefusedMail extends HopelessWork {
  readonly address: string

  constructor(address: string, cause: HopelessWork) {
    super(cause.message, { cause })
    this.address = address
    Object.assign(this, { code: (cause as { code?: unknown }).code, words: (cause as { words?: unknown }).words })
  }
}

/** What a mail server kept refusing, the address or the mail, until its time was over: it says nothing about the address. */
export class LateMail extends HopelessWork {}

/** RFC 5321 section 4.5.4.1: "the give-up time generally needs to be at least 4-5 days". */
const GIVE_UP_AFTER_MS = 5 * 24 * 3600 * 1000
/** A server that was off for days has not tried for days. Some twelve hours of tries. */
const LEAST_FAILURES = 24

/**
 * The same mailer, which names each mail so that a report about it can be understood, and writes down when one was last
 * delivered and which was last given up. A record that fails fails no mail: it would be sent twice.
 */
export function keepRecord(mailer: Mailer, { db, logger, now, secrets, host }: RecordDeps): Mailer {
  const write = (event: Parameters<typeof writeMailEvent>[1]) =>
    writeMailEvent(db, event).catch((error: unknown) => logger.fail('mail: the record was not written', error))
  const name = (mail: Mail): Mail => {
    const work = findMailWork()
    return work ? { ...mail, messageId: makeMessageId(secrets, work, { to: mail.to, at: now(), host }) } : mail
  }
  return {
    ...mailer,
    send: async (mail, patience) => {
      try {
        await mailer.send(name(mail), patience)
      } catch (error) {
        const isRefused = error instanceof HopelessWork
        if (!isRefused && !isOver(error, findMailWork()?.tries, now())) throw error
        const failure = describeFailure(error)
        await write({ name: 'given_up', at: now(), recipient: maskAddress(mail.to), ...failure })
        if (isRefused) throw new RefusedMail(mail.to, error)
        throw Object.assign(new LateMail('the mail server has refused this mail for days', { cause: error }), {
          code: nameFailure(error),
          words: failure.words,
        })
      }
      await write({ name: 'delivered', at: now(), recipient: null, problem: null, words: null })
    },
  }
}

/** A mail server that is away, or refuses us ourselves, is for the operator to mend: then mails wait as long as that takes. */
function isOver(error: unknown, tries: Tries | undefined, now: number): boolean {
  const { problem } = describeFailure(error)
  if (tries === undefined || (problem !== 'address_refused' && problem !== 'message_refused')) return false
  return tries.failures >= LEAST_FAILURES && now - tries.since >= GIVE_UP_AFTER_MS
}
