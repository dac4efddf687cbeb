import type { Db } from '../db/open.ts'
import type { EventDeps } from './record-events.ts'

/**
 * For what the shell does, and what is done before a server serves: nobody listens in this process, and a server that runs
 * finds by itself what is to be done.
 */
export function makeShellDeps(db: Db): EventDeps {
  return { db, now: Date.now, outbox: { ring: () => {} }, live: { tell: () => {} }, secrets: undefined }
}
