import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { makeFolder } from '@proofdesk/certify/make-folder'
import { lockData } from './data-lock.ts'
import { makeDiskReserve } from '../db/disk-reserve.ts'
import { hasMigrated, migrate, mustBeUpToDate, NewerSchema, OlderSchema } from '../db/migrate.ts'
import { openPostgres, openPostgresSchema, openSqlite, type OpenDatabase, type WatchStatement } from '../db/open.ts'
import { refuseMarked } from '../moving/marks.ts'
import { keepPrivate } from './keep-private.ts'
import { explainDatabase, explainDisk, StartFailure } from '../config/start-failure.ts'

export const DATABASE_FILE = 'proofdesk.sqlite'
/** What SQLite keeps beside the file, and what is kept back for a full disk. */
const BESIDE_DATABASE = ['', '-wal', '-shm', '.reserve']

/** Makes the data folder where there is none, and the folder its owner's alone where it was others' too. @throws StartFailure */
async function openDataFolder({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  try {
    await makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartFailure(`DATA_DIR cannot be used: ${dataDir}: ${explainDisk(cause)}`, { cause })
  }
  keepPrivate(dataDir, 0o700)
}

/**
 * Opens the data folder and the database, and brings it up to date.
 * @throws StartFailure, also for a database that is half filled, or that was moved elsewhere.
 */
export async function openData(config: Config, watch?: WatchStatement): Promise<OpenDatabase> {
  return refuseMarkedOrClose(await openMarkedData(config, watch))
}

async function refuseMarkedOrClose(database: OpenDatabase): Promise<OpenDatabase> {
  try {
    await refuseMarked(database.db)
  } catch (error) {
    await database.close().catch(() => {})
    throw error
  }
  return database
}

/**
 * Opens them as they are, for commands that are about an installation that is there: in a folder that was mistyped they make
 * none, into which nothing could be restored afterwards, and a database that an older server works on they leave to it.
 * @throws StartFailure
 */
export async function openPresentData(config: Config): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !existsSync(join(dataDir, DATABASE_FILE)))
    throw new StartFailure(`There is no database in ${dataDir}`)
  if (databaseUrl !== undefined && !(await hasSchema(databaseUrl)))
    throw new StartFailure(`No server was started yet on the database of DATABASE_URL (${new URL(databaseUrl).host})`)
  return refuseMarkedOrClose(await openPrepared(config, mustBeUpToDate))
}

/** As `openData` for who moves it, whatever its marks say. @throws StartFailure */
export async function openMarkedData(config: Config, watch?: WatchStatement): Promise<OpenDatabase> {
  return openPrepared(config, migrate, watch)
}

/** @param prepare Brings the schema up to date, or refuses it. */
async function openPrepared(
  config: Config,
  prepare: (database: OpenDatabase) => Promise<void>,
  watch?: WatchStatement,
): Promise<OpenDatabase> {
  await openDataFolder(config)
  if (config.databaseUrl === undefined) {
    const path = join(config.dataDir, DATABASE_FILE)
    const files = BESIDE_DATABASE.map((suffix) => `${path}${suffix}`)
    return explainOpening(`The database ${path} cannot be opened`, config.dataDir, async () => {
      // Before it is opened too: SQLite gives what it makes the rights of the database file.
      for (const file of files) keepPrivate(file, 0o600)
      const database = openSqlite(path, makeDiskReserve(`${path}.reserve`), watch)
      await prepareOrClose(database, prepare)
      for (const file of files) keepPrivate(file, 0o600)
      return database
    })
  }
  // Never the address itself: it holds a password.
  const { host } = new URL(config.databaseUrl)
  const url = config.databaseUrl
  return explainOpening(`The database of DATABASE_URL (${host}) cannot be used`, undefined, async () => {
    const schema = openPostgresSchema(url)
    await prepareOrClose(schema, prepare)
    await schema.close()
    return openPostgres(url, { watch })
  })
}

/** As `openData` for a server, which shares an SQLite file with no other one. @throws StartFailure */
export async function openDataToServe(config: Config, watch?: WatchStatement): Promise<OpenDatabase> {
  if (config.databaseUrl === undefined) {
    await openDataFolder(config)
    lockData(config.dataDir)
  }
  return openData(config, watch)
}

/** @throws StartFailure */
async function hasSchema(url: string): Promise<boolean> {
  return explainOpening(`The database of DATABASE_URL (${new URL(url).host}) cannot be used`, undefined, async () => {
    const schema = openPostgresSchema(url)
    try {
      return await hasMigrated(schema.db)
    } finally {
      await schema.close()
    }
  })
}

async function prepareOrClose(database: OpenDatabase, prepare: (database: OpenDatabase) => Promise<void>) {
  try {
    await prepare(database)
  } catch (error) {
    await database.close().catch(() => {})
    throw error
  }
}

/** @param folder Of a database that is a file. */
async function explainOpening<T>(problem: string, folder: string | undefined, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    let reason = explainDatabase(cause)
    if (cause instanceof NewerSchema)
      reason = `it was used by a newer version of Proofdesk (${cause.step}): start that version or a later one, or restore a backup from before`
    else if (cause instanceof OlderSchema)
      reason = 'it is of an older version of Proofdesk: start the server first, which brings it up to date'
    // SQLite does not always name what kept it from writing.
    else if (folder !== undefined && hasNoRoom(folder)) reason = 'its disk is full'
    throw new StartFailure(`${problem}: ${reason}`, { cause })
  }
}

function hasNoRoom(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < 1024 * 1024
}
