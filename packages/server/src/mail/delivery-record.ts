import type { Db } from '../db/open.ts'
import type { Logger } from '../logger.ts'
import { HopelessWork } from '../outbox/outbox.ts'
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
        if (!(error instanceof HopelessWork)) throw error
        await write({ name: 'given_up', at: now(), recipient: maskAddress(mail.to), ...describeFailure(error) })
        throw new RefusedMail(mail.to, error)
      }
      await write({ name: 'delivered', at: now(), recipient: null, problem: null, words: null })
    },
  }
}
