import { mkdir, stat } from 'node:fs/promises'
import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openPostgres, openSqlite, type OpenDatabase } from './db/open.ts'
import { explainDisk, StartFailure } from './start-failure.ts'
import { nameFailure } from './log.ts'

/** Makes the data folder, opens the database and brings it up to date. @throws StartFailure */
export async function openData(config: Config): Promise<OpenDatabase> {
  try {
    await makeFolder(config.dataDir)
    accessSync(config.dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartFailure(`DATA_DIR cannot be used: ${config.dataDir}: ${explainDisk(cause)}`, { cause })
  }
  if (config.databaseUrl === undefined) {
    const path = join(config.dataDir, 'proofdesk.sqlite')
    return openMigrated(`The database ${path} cannot be opened`, async () => openSqlite(path))
  }
  // Never the address itself: it holds a password.
  const { host } = new URL(config.databaseUrl)
  const url = config.databaseUrl
  return openMigrated(`The database of DATABASE_URL (${host}) cannot be used`, async () => openPostgres(url))
}

/** Not `recursive`: that never returns where a file system refuses a folder by saying that its parent is missing. */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await make()
  })
}

async function openMigrated(problem: string, open: () => Promise<OpenDatabase>): Promise<OpenDatabase> {
  let database: OpenDatabase | undefined
  try {
    database = await open()
    await migrate(database)
    return database
  } catch (cause) {
    await database?.close().catch(() => {})
    const root = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause
    throw new StartFailure(`${problem}: ${explainDatabase(root)}`, { cause })
  }
}

const WORDS_OF_DATABASE: Record<string, string> = {
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  '28P01': 'the password is refused',
  '28000': 'the user is refused',
  '3D000': 'there is no such database',
  '42501': 'permission denied',
}

function explainDatabase(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const words = WORDS_OF_DATABASE[String(code)]
  if (words) return words
  if (code === 'ERR_SQLITE_ERROR') return String(message)
  if (/timeout/i.test(String(message))) return 'it does not answer'
  return nameFailure(error)
}
