import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readBackupState } from '../backup/backup-state.ts'
import { MARK } from '../backup/layout.ts'
import { listSnapshots, openOrMakeTarget } from '../backup/open-target.ts'
import { pruneBackups } from '../backup/prune-backups.ts'
import { letGoBeforeSignal } from '../backup/signal-end.ts'
import { ofPostgres, ofSqlite } from '../backup/source.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { openStore } from '../blobs/open-store.ts'
import type { Config } from '../config/config.ts'
import { EXIT_SAVED_WITHOUT_SOME, StartFailure } from '../config/start-failure.ts'
import { VERSION } from '../config/version.ts'
import { findFact } from '../db/instance.ts'
import { openPostgres, openSqlite } from '../db/open.ts'
import { refuseMarked } from '../moving/marks.ts'
import { DATABASE_FILE } from '../start/open-data.ts'
import { openNamedShelf, readKeep, readPlace } from './backup-places.ts'
import { tellPruned } from './prune.ts'
import type { Terminal } from './terminal.ts'

const COMPLAINT = 'backup takes a folder or s3://…, with --keep how many backups stay, and maybe --again.'
const OPTIONS = { keep: { type: 'string' }, again: { type: 'boolean', default: false } } as const

/**
 * Adds a backup to a folder or a bucket, also while the server runs.
 * @returns true, or the exit code that says that some of what it should hold was not there, or not whole.
 */
export async function backUp(args: string[], terminal: Terminal): Promise<true | number> {
  const { place, keep, isAgain } = readWords(args)
  const { config, shelf } = await openNamedShelf(place, terminal.environment)
  // Before it is locked, which makes a folder where there is none.
  if (isAgain && !(await shelf.isThere(MARK)) && (await listSnapshots({ shelf })).length === 0)
    throw new StartFailure(
      `No backup stands in ${shelf.name} any more, where one was saved before: is its disk mounted, on each node? Where that is right, begin there by hand: npm run admin -- backup ${place}`,
    )
  // Whoever prunes must not meet files that another backup has just saved.
  const lock = await shelf.lock()
  // A server that ends while it is at it; a lock in a bucket would stay.
  const forget = letGoBeforeSignal(() => lock.close())
  try {
    const target = await openOrMakeTarget(shelf, config.backupPassphrase)
    const { drilled, ...database } = await findDatabase(config)
    const blobs = await openStore(config, { readsAnew: true })
    const source = { ...database, blobs, keysDir: config.keysDir, version: VERSION }
    const written = await writeBackup(target, source, lock, Date.now())
    for (const name of written.passedOver)
      terminal.err(`Not saved, since no key has such a name: ${join(config.keysDir, name)}`)
    for (const line of written.damaged) terminal.err(line)
    for (const { key, why } of written.spoiled) terminal.err(`${key}: ${why}`)
    terminal.out(
      `Saved as ${written.snapshot}: the database, ${written.copied} new files, ${written.kept} saved before.`,
    )
    if (!target.isEncrypted)
      terminal.out(
        `The keys are not in it, since it is not encrypted: copy ${config.keysDir} yourself, or set BACKUP_PASSPHRASE.`,
      )
    if (keep !== undefined) {
      await lock.mustHold()
      tellPruned(await pruneBackups(target, keep, [written.snapshot, ...drilled]), terminal)
    }
    return written.spoiled.length === 0 || EXIT_SAVED_WITHOUT_SOME
  } finally {
    await lock.close()
    forget()
  }
}

/** As it is: a program that is newer than the database changes nothing about it here. @throws StartFailure */
async function findDatabase({ databaseUrl, dataDir }: Config) {
  const file = join(dataDir, DATABASE_FILE)
  if (databaseUrl === undefined && !existsSync(file)) throw new StartFailure(`There is no database in ${dataDir}`)
  const database = databaseUrl === undefined ? openSqlite(file) : openPostgres(databaseUrl, { maxConnections: 1 })
  try {
    await refuseMarked(database.db)
    const { drilled_snapshot: name } = await readBackupState(database.db)
    const drilled = name === null ? [] : [name]
    const log = await findFact(database.db, 'log_key')
    return { drilled, log, ...(databaseUrl === undefined ? ofSqlite(file) : ofPostgres(databaseUrl)) }
  } finally {
    await database.close()
  }
}

function readWords(args: string[]): { place: string; keep: number | undefined; isAgain: boolean } {
  const { place, values } = readPlace(args, OPTIONS, COMPLAINT)
  return { place, keep: readKeep(values.keep, COMPLAINT), isAgain: values.again }
}
