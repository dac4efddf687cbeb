import { randomUUID } from 'node:crypto'
import { VERSION } from '../config/version.ts'
import type { Deps } from '../deps.ts'
import { forgetNode, forgetSilent, markSeen } from './queries.ts'

const EVERY_MS = 30_000
/** One that has said nothing for so long is gone, whatever kept it from saying so. */
export const SILENT_AFTER_MS = 3 * EVERY_MS

type PresenceDeps = Pick<Deps, 'db' | 'engine' | 'now' | 'logger'>

/**
 * Says that this process serves, now and every half minute, so that nodes of different versions are noticed.
 * @returns what ends it.
 */
export async function startPresence({ db, engine, now, logger }: PresenceDeps): Promise<() => Promise<void>> {
  const id = randomUUID()
  const say = () => markSeen(db, id, VERSION, now())
  // One process serves an SQLite file, so whoever stands there is gone.
  await forgetSilent(db, engine === 'sqlite' ? Number.MAX_SAFE_INTEGER : now() - SILENT_AFTER_MS)
  await say()
  let saying = Promise.resolve()
  const timer = setInterval(() => {
    saying = say().catch((error: unknown) => logger.fail('saying that this node serves failed', error))
  }, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await saying
    // Where the database is away the row grows old by itself.
    await forgetNode(db, id).catch(() => {})
  }
}
