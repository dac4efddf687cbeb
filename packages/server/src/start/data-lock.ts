import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isSqliteOutage } from '../db/outage.ts'
import { keepPrivate } from './keep-private.ts'
import { InUse, StartFailure } from '../config/start-failure.ts'

const FILE = 'proofdesk.lock'
/** SQLITE_BUSY, https://www.sqlite.org/rescode.html */
const BUSY = 5

/** A lock that nobody holds on to would be collected as garbage, and let go. */
const held: { close(): void }[] = []

/**
 * Makes this the one server on a data folder with an SQLite file, for as long as the process lives. Commands beside the
 * server do not need it.
 * @throws StartFailure
 */
export function lockData(dataDir: string): void {
  held.push(lockFolder(dataDir, 'DATA_DIR', `another Proofdesk server runs on ${dataDir}, or a restore`))
}

/**
 * Makes this the one process that works in a folder, until the lock is closed: a lock of the operating system, which goes with
 * the process however it ends. SQLite takes it, since Node cannot.
 * @param name Of the folder, for people.
 * @throws StartFailure
 */
export function lockFolder(folder: string, name: string, inUse: string): { close(): void } {
  const path = join(folder, FILE)
  let lock: DatabaseSync | undefined
  // Whoever can write there, such as where backups stand, would have us lock or close another file, a database in use above all.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new StartFailure(`${name} cannot be locked: ${path} is not ours`)
  // Before it is opened: closing a file lets go of every lock on it.
  keepPrivate(path, 0o600)
  try {
    lock = new DatabaseSync(path, { timeout: 0 })
    // Nothing is written: the transaction that holds the lock stays empty.
    lock.exec('begin exclusive')
  } catch (cause) {
    lock?.close()
    const { errcode } = cause as { errcode?: unknown }
    if (errcode === BUSY) throw new InUse(`${name} is in use: ${inUse}`, { cause })
    if (!isSqliteOutage(cause)) throw new StartFailure(`${name} cannot be locked: ${path} is not ours`, { cause })
    throw new StartFailure(`${name} cannot be locked: ${path}: ${(cause as Error).message}`, { cause })
  }
  return lock
}
