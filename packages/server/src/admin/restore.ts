import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@proofdesk/certify/write-durably'
import { takeBackAfterRestore } from '../app.ts'
import { openTarget } from '../backup/open-target.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { makeScratchFolder, type ScratchFolder } from '../backup/scratch-folder.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { openStore } from '../blobs/open-store.ts'
import type { Config } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { holdSqlite } from '../db/copy/hold-sqlite.ts'
import { findFact } from '../db/instance.ts'
import { openSqlite } from '../db/open.ts'
import { eraseAgain, type ErasedAgain } from '../erasure/erase-again.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { placeQueue } from '../log/give-places.ts'
import { refuseForeignFiles } from '../moving/copy-guard.ts'
import { beginToFill, type FilledPostgres } from '../moving/fill-postgres.ts'
import { findSecretKey } from '../secrets/keep-secret-key.ts'
import { lockFolder } from '../start/data-lock.ts'
import { DATABASE_FILE, openData } from '../start/open-data.ts'
import { orOtherBackups } from './advise-spoiled.ts'
import { chooseSnapshot, openNamedShelf, readPlace } from './backup-places.ts'
import { tellErasedAgain } from './say-erased.ts'
import type { Terminal } from './terminal.ts'

const OPTIONS = { snapshot: { type: 'string' }, 'without-keys': { type: 'boolean', default: false } } as const

/**
 * Restores a backup into a `DATA_DIR` without a database, or an empty PostgreSQL, and into the store of files that the settings
 * name. Nothing is served before all of it is there. @returns whether every file came back as it was saved.
 */
export async function restore(args: string[], terminal: Terminal): Promise<boolean> {
  const { place, values } = readPlace(args, OPTIONS, 'restore takes the folder or s3://… of a backup.')
  const { config, shelf } = await openNamedShelf(place, terminal.environment)
  if (config.databaseUrl === undefined) refuseDatabase(config.dataDir)
  const target = await openTarget(shelf, config.backupPassphrase)
  const chosen = await chooseSnapshot(target, values.snapshot)
  const filling =
    config.databaseUrl === undefined ? undefined : await beginToFill(config.databaseUrl, { by: 'restore', of: '' })
  let lock: { close(): void } | undefined
  let scratch: ScratchFolder | undefined
  try {
    const blobs = await openStore(config, { readsAnew: true })
    lock = filling ? undefined : lockForRestore(config.dataDir)
    // Beside where it goes, so that it gets there at once.
    scratch = await makeScratchFolder(config.dataDir, 'restoring-', lockFolder)
    const scratchFile = join(scratch.path, DATABASE_FILE)
    const keysDir = values['without-keys'] ? undefined : config.keysDir
    const accept = () => refuseFilesOfAnother(blobs, scratchFile)
    const to = { databaseFile: scratchFile, blobs, keysDir, accept }
    const restored = await orOtherBackups(target, chosen, () => restoreBackup(target, chosen, to))
    const erased = await prepare({ ...config, dataDir: scratch.path, databaseUrl: undefined }, filling)
    if (filling) await fill(filling, scratchFile)
    else {
      await rename(scratchFile, join(config.dataDir, DATABASE_FILE))
      await syncFolder(config.dataDir)
    }
    const { files, spoiled, hasKeys, manifest } = restored
    for (const line of spoiled) terminal.err(line)
    if (spoiled.length > 0)
      terminal.err(
        'What is named here is not there now: npm run admin -- mend puts it back from another place of backups.',
      )
    terminal.out(`Restored as of ${manifest.made_at}: the database and ${files} files.`)
    terminal.out('Everybody signs in anew, and links that were mailed before no longer work.')
    tellErasedAgain(terminal, erased)
    if (!hasKeys) terminal.out(`The keys were not restored: put those of this installation into ${config.keysDir}.`)
    return spoiled.length === 0
  } finally {
    await scratch?.remove()
    lock?.close()
    await filling?.close()
  }
}

/** The signed head beside the files, which keeps a log from going back, can be of one log alone. @throws StartFailure */
async function refuseFilesOfAnother(blobs: BlobStore, databaseFile: string): Promise<void> {
  const database = openSqlite(databaseFile)
  try {
    const log = await findFact(database.db, 'log_key')
    if (log !== undefined) await refuseForeignFiles(blobs, log.split('+')[0] ?? '')
  } finally {
    await database.close()
  }
}

/** Until it is closed neither a server nor another restore can put a database where this one will come. @throws StartFailure */
function lockForRestore(dataDir: string): { close(): void } {
  const lock = lockFolder(dataDir, 'DATA_DIR', `a Proofdesk server runs on ${dataDir}, or another restore`)
  try {
    refuseDatabase(dataDir)
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

/** @throws StartFailure also for a `-wal` alone: SQLite would play its pages into the restored file. */
function refuseDatabase(dataDir: string): void {
  const there = ['', '-wal', '-journal']
    .map((end) => join(dataDir, `${DATABASE_FILE}${end}`))
    .find((path) => existsSync(path))
  if (there !== undefined)
    throw new StartFailure(`There is a database already: ${there}: stop the server and move DATA_DIR away first`)
}

/** Brings it up to date, takes back what may have been used since, and erases again what was erased since, before anybody can serve it. */
async function prepare(scratch: Config, filling: FilledPostgres | undefined): Promise<ErasedAgain> {
  const database = await openData(scratch)
  try {
    await takeBackAfterRestore(database.db)
    // SQLite has no turn for statements that PostgreSQL had not given their place yet.
    if (!filling) await placeQueue(database)
    const deps = { ...makeShellDeps(database.db), keysDir: scratch.keysDir }
    return await eraseAgain(deps, await findSecretKey(database.db, scratch))
  } finally {
    await database.close()
  }
}

async function fill(filling: FilledPostgres, file: string): Promise<void> {
  const held = holdSqlite(file)
  try {
    await filling.fill(held.side, () => {})
  } finally {
    held.close()
  }
  await filling.release()
}
