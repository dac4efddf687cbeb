import type { Db } from '../db/open.ts'
import type { Logger } from '../logger.ts'
import { HopelessWork } from '../outbox/outbox.ts'
import type { Mailer } from './mailer.ts'
import { describeFailure, maskAddress } from './problem.ts'
import { writeMailEvent } from './queries.ts'

/**
 * The same mailer, which writes down when a mail was last delivered, and which one was last given up. A record that
 * fails fails no mail: it would be sent twice.
 */
export function keepRecord(mailer: Mailer, { db, logger, now }: { db: Db; logger: Logger; now: () => number }): Mailer {
  const write = (event: Parameters<typeof writeMailEvent>[1]) =>
    writeMailEvent(db, event).catch((error: unknown) => logger.fail('mail: the record was not written', error))
  return {
    ...mailer,
    send: async (mail, patience) => {
      try {
        await mailer.send(mail, patience)
      } catch (error) {
        if (error instanceof HopelessWork)
          await write({ name: 'given_up', at: now(), recipient: maskAddress(mail.to), ...describeFailure(error) })
        throw error
      }
      await write({ name: 'delivered', at: now(), recipient: null, problem: null, words: null })
    },
  }
}
