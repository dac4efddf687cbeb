import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isSqliteOutage } from '../db/outage.ts'
import { keepPrivate } from './keep-private.ts'
import { StartFailure } from '../config/start-failure.ts'

const FILE = 'proofdesk.lock'
/** SQLITE_BUSY, https://www.sqlite.org/rescode.html */
const BUSY = 5

/** A lock that nobody holds on to would be collected as garbage, and let go. */
const held: DatabaseSync[] = []

/**
 * Makes this the one server on a data folder with an SQLite file, for as long as the process lives: a lock of the operating
 * system, which goes with the process however it ends. SQLite takes it, since Node cannot. Commands beside the server do
 * not need it.
 * @throws StartFailure
 */
export function lockData(dataDir: string): void {
  const path = join(dataDir, FILE)
  let lock: DatabaseSync | undefined
  // Before it is opened: closing a file lets go of every lock on it.
  keepPrivate(path, 0o600)
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    // Nothing is written: the transaction that holds the lock stays empty.
    lock.exec('begin exclusive')
  } catch (cause) {
    lock?.close()
    const { errcode } = cause as { errcode?: unknown }
    if (errcode === BUSY)
      throw new StartFailure(`DATA_DIR is in use: another Proofdesk server runs on ${dataDir}`, { cause })
    if (!isSqliteOutage(cause)) throw new StartFailure(`DATA_DIR cannot be locked: ${path} is not ours`, { cause })
    throw new StartFailure(`DATA_DIR cannot be locked: ${path}: ${(cause as Error).message}`, { cause })
  }
  held.push(lock)
}
