import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { listReferencedFiles } from '../backup/queries.ts'
import { openStore } from '../blobs/open-store.ts'
import { readConfig, type Config, type Environment } from '../config/config.ts'
import { StartFailure } from '../config/start-failure.ts'
import { foldAllCounts } from '../counts/keep-counts.ts'
import { holdSqlite } from '../db/copy/hold-sqlite.ts'
import { findFact } from '../db/instance.ts'
import type { OpenDatabase } from '../db/open.ts'
import { copyFiles } from '../moving/copy-files.ts'
import { copyGuard, refuseForeignFiles } from '../moving/copy-guard.ts'
import { beginToFill, type FilledPostgres } from '../moving/fill-postgres.ts'
import { MOVED } from '../moving/marks.ts'
import { isNameOf, namePostgres } from '../moving/name-postgres.ts'
import { lockFolder } from '../start/data-lock.ts'
import { DATABASE_FILE, openMarkedData } from '../start/open-data.ts'
import { tellCounts, tellFiles, tellTrail, tellTree } from './check-everything.ts'
import { judgeEveryProof } from './check-proofs.ts'
import { nameByWords } from './name-by-words.ts'
import { openProgress } from './progress.ts'
import { UsageError, type Terminal } from './terminal.ts'

interface Words {
  /** Of PostgreSQL; undefined: the database stays. */
  to: string | undefined
  /** `s3://…` or a folder; undefined: the files stay. */
  storage: string | undefined
  withProblems: boolean
}

/**
 * Copies an installation on SQLite to PostgreSQL, or its files to a bucket or another folder, or both, while no server runs on
 * it. What is there counts for nothing until all of it was compared, and from then on what is here counts for nothing.
 * @returns whether it was moved, and nothing was wrong with it.
 */
export async function moveInstallation(args: string[], terminal: Terminal): Promise<boolean> {
  const words = await readWords(args, terminal)
  const { source, target } = readPlaces(words, terminal.environment)
  const databaseFile = join(source.dataDir, DATABASE_FILE)
  if (!existsSync(databaseFile)) throw new StartFailure(`There is no installation on SQLite in ${source.dataDir}`)
  const lock = lockFolder(source.dataDir, 'DATA_DIR', `a Proofdesk server runs on ${source.dataDir}: stop it first`)
  let filling: FilledPostgres | undefined
  try {
    const log = await mustFindLog(source, target)
    filling = words.to === undefined ? undefined : await beginToFill(words.to, { by: 'migrate', of: log })
    const problems = await checkAndCopyFiles({ source, target, words, log }, terminal)
    if (problems && !words.withProblems) {
      terminal.err('Nothing was moved. Restore what is wrong from a backup, or move the rest with --with-problems.')
      return false
    }
    if (words.to !== undefined && filling) {
      const held = holdSqlite(databaseFile)
      try {
        await filling.fill(held.side, ({ name, rows }) => rows > 0 && terminal.out(`${name}: ${rows} rows`))
        await checkFilled(target, terminal)
        // First this: there is no moment at which both would be served.
        held.leaveWith(MOVED, namePostgres(words.to))
      } finally {
        held.close()
      }
      await filling.release()
    }
    for (const line of sayNext(words, source)) terminal.out(line)
    return !problems
  } finally {
    await filling?.close()
    lock.close()
  }
}

/** @returns name and key of the log. @throws StartFailure for an installation that nobody has used, or that is elsewhere. */
async function mustFindLog(source: Config, target: Config): Promise<string> {
  const database = await openMarkedData(source)
  try {
    const moved = await findFact(database.db, MOVED)
    const isAgain = moved !== undefined && target.databaseUrl !== undefined && isNameOf(moved, target.databaseUrl)
    if (moved !== undefined && !isAgain) throw new StartFailure(`This installation was moved to ${moved} already`)
    const log = await findFact(database.db, 'log_key')
    if (log === undefined)
      throw new StartFailure(`No server has run on ${source.dataDir} yet: there is nothing to move`)
    return log
  } finally {
    await database.close()
  }
}

/** @returns whether anything is wrong with what is here. */
async function checkAndCopyFiles(
  { source, target, words, log }: { source: Config; target: Config; words: Words; log: string },
  terminal: Terminal,
): Promise<boolean> {
  const database = await openMarkedData(source)
  try {
    terminal.out(`What is in ${source.dataDir}:`)
    const isWell = await checkRows(source, database, terminal)
    if (words.storage === undefined) return !(await tellFiles(source, database, terminal)) || !isWell
    const from = await openStore(source)
    const to = await openStore(target, { readsAnew: true })
    await refuseForeignFiles(to, log.split('+')[0] ?? '')
    const files = await listReferencedFiles(database.reads)
    const progress = openProgress(terminal, files.length, 'files')
    const { copied, kept, problems } = await copyFiles({ from, to }, files, progress)
    await copyGuard({ from, to })
    for (const line of problems) terminal.err(line)
    terminal.out(`${copied} files were copied and read again, ${kept} were there already.`)
    return problems.length > 0 || !isWell
  } finally {
    await database.close()
  }
}

async function checkRows(source: Config, database: OpenDatabase, terminal: Terminal): Promise<boolean> {
  const told = [
    await tellCounts(database, terminal),
    await tellTree(database, terminal),
    await tellTrail(source, database, terminal),
    await judgeEveryProof(source, database, terminal),
  ]
  return told.every(Boolean)
}

/** @throws StartFailure */
async function checkFilled(target: Config, terminal: Terminal): Promise<void> {
  const database = await openMarkedData(target)
  try {
    await foldAllCounts(database)
    terminal.out('What is in the copy:')
    const told = [
      await tellCounts(database, terminal),
      await tellTree(database, terminal),
      await tellTrail(target, database, terminal),
    ]
    if (!told.every(Boolean)) throw new StartFailure('The copy is not what it should be: nothing was moved')
  } finally {
    await database.close()
  }
}

function sayNext({ to, storage }: Words, source: Config): string[] {
  const isBucket = storage?.startsWith('s3:') ?? false
  return [
    'Moved, and compared.',
    `Serve it with ${[
      ...(to === undefined ? [] : ['DATABASE_URL as in --to']),
      ...(storage === undefined ? [] : [isBucket ? 'STORAGE_URL as in --storage' : 'DATA_DIR as in --storage']),
      `KEYS_DIR=${source.keysDir}`,
    ].join(', ')}.`,
    ...(to === undefined
      ? []
      : [`What is left in ${source.dataDir} is not served any more: keep it until a backup was made.`]),
  ]
}

function readPlaces({ to, storage }: Words, environment: Environment): { source: Config; target: Config } {
  // One process is enough here, whatever the settings are that it will be served with.
  const single = { ...environment, WEB_CONCURRENCY: undefined, BACKUP_DIR: undefined }
  const source = readConfig(single)
  if (source.databaseUrl !== undefined)
    throw new StartFailure(
      'migrate moves an installation from SQLite: unset DATABASE_URL, and name the new one by --to',
    )
  if (storage !== undefined && source.storage !== undefined)
    throw new StartFailure('migrate moves files from DATA_DIR: unset STORAGE_URL, and name the new one by --storage')
  const isBucket = storage?.startsWith('s3:') ?? false
  const asked = {
    ...single,
    ...(to !== undefined && { DATABASE_URL: to }),
    ...(storage !== undefined && (isBucket ? { STORAGE_URL: storage } : { DATA_DIR: storage })),
    KEYS_DIR: source.keysDir,
  }
  const words = { DATABASE_URL: '--to', STORAGE_URL: '--storage', DATA_DIR: '--storage' }
  const target = nameByWords(words, () => readConfig(asked))
  if (storage !== undefined && !isBucket) {
    if (to === undefined) throw new UsageError('A folder as --storage goes with --to.')
    if (target.dataDir === source.dataDir) throw new UsageError('--storage is the folder where the files are.')
    if (existsSync(join(target.dataDir, DATABASE_FILE)))
      throw new StartFailure(`The folder of --storage holds an installation: ${target.dataDir}`)
  }
  return { source, target }
}

async function readWords(args: string[], terminal: Terminal): Promise<Words> {
  let values
  try {
    const options = {
      to: { type: 'string' },
      storage: { type: 'string' },
      'with-problems': { type: 'boolean', default: false },
    } as const
    values = parseArgs({ args, options }).values
  } catch {
    throw new UsageError('migrate was not understood.')
  }
  if (values.to === undefined && values.storage === undefined)
    throw new UsageError('migrate takes --to postgres://…, --storage s3://… or both.')
  const to = values.to === '-' ? (await text(terminal.input)).trim() : values.to
  return { to, storage: values.storage, withProblems: values['with-problems'] }
}
