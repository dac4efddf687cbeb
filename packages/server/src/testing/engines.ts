import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { migrate } from '../db/migrate.ts'
import { openPostgres, openSqlite, type OpenDatabase, type WatchStatement } from '../db/open.ts'
import type { Listen } from '../db/pg-listen.ts'
import type { Tables } from '../db/schema.ts'
import './sql/collect.ts'
import { hasRealPostgres, makeRealDatabase, type RealDatabase } from './real-postgres.ts'

/**
 * What a test runs on. `pglite` is PostgreSQL in this process, wherever npm is, with one connection; `postgres` is a
 * real one, where two requests at once are two transactions at once.
 */
export type TestEngine = 'sqlite' | 'pglite' | 'postgres'

/**
 * Every test of a query runs on each: on the real PostgreSQL where the machine has one, else on PGlite, which a skipped
 * test of its own says. `PROOFDESK_TEST_ENGINES=sqlite` leaves PostgreSQL out, where there are thousands of runs.
 */
export const ENGINES: readonly TestEngine[] =
  process.env['PROOFDESK_TEST_ENGINES'] === 'sqlite' ? ['sqlite'] : ['sqlite', hasRealPostgres ? 'postgres' : 'pglite']

/** A database of one test, which outlives restarts of the server on it. */
export interface TestDatabase {
  /** Opens it, migrated; after `close` of the one opened before. */
  open(watch?: WatchStatement): Promise<OpenDatabase>
  /** Ends it for good. */
  drop(): Promise<void>
}

export function makeTestDatabase(engine: TestEngine, dataDir: string): TestDatabase {
  if (engine === 'sqlite') return makeSqliteDatabase(dataDir)
  return engine === 'pglite' ? makePGliteDatabase() : makePostgresDatabase()
}

/** A database without any table, for tests of the steps that make them; it ends with the test. */
export async function openEmptyDatabase(
  t: { after(end: () => Promise<void>): unknown },
  engine: TestEngine,
): Promise<OpenDatabase> {
  if (engine === 'sqlite') {
    const folder = await mkdtemp(join(tmpdir(), 'proofdesk-empty-'))
    const database = openSqlite(join(folder, 'proofdesk.sqlite'))
    t.after(async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    })
    return database
  }
  if (engine === 'pglite') {
    const { PGlite } = await import('@electric-sql/pglite')
    const pglite = await PGlite.create()
    t.after(() => pglite.close())
    const db = openPGlite(pglite)
    return { engine: 'postgres', db, reads: db, longReads: db, close: async () => {} }
  }
  const real = await makeRealDatabase('empty')
  const database = openPostgres(real.url)
  t.after(async () => {
    await database.close()
    await real.drop()
  })
  return database
}

function makeSqliteDatabase(dataDir: string): TestDatabase {
  const path = join(dataDir, 'proofdesk.sqlite')
  return {
    open: async (watch) => {
      // A server that is started again finds its database.
      if (!existsSync(path)) await writeFile(path, await (migratedSqlite ??= makeMigratedSqlite()))
      return openSqlite(path, undefined, watch)
    },
    drop: async () => {},
  }
}

/** The file of a migrated, empty database, made once a process: every step again is a hundred times the work. */
let migratedSqlite: Promise<Uint8Array> | undefined

async function makeMigratedSqlite(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-migrated-'))
  try {
    const path = join(folder, 'proofdesk.sqlite')
    const database = openSqlite(path)
    await migrate(database)
    await database.close()
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function makePostgresDatabase(): TestDatabase {
  let real: RealDatabase | undefined
  return {
    open: async (watch) => {
      real ??= await makeRealDatabase('migrated')
      return openPostgres(real.url, { watch })
    },
    drop: async () => {
      await real?.drop()
    },
  }
}

function makePGliteDatabase(): TestDatabase {
  let pglite: PGlite | undefined
  return {
    open: async (watch) => {
      pglite ??= await startPGlite()
      const db = openPGlite(pglite, watch)
      return { engine: 'postgres', db, reads: db, longReads: db, listen: listenOn(pglite), close: async () => {} }
    },
    drop: async () => {
      await pglite?.close()
    },
  }
}

/** LISTEN as `openPostgres` offers it; the connection of a PGlite is never lost. */
function listenOn(pglite: PGlite): Listen {
  return (channel, { onMessage }) => pglite.listen(channel, onMessage)
}

function openPGlite(pglite: PGlite, watch?: WatchStatement): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }), ...(watch && { log: watch }) })
}

/** A migrated, empty cluster, made once a process: starting from its files is much faster than from nothing. */
let template: Promise<File | Blob> | undefined

async function startPGlite(): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  template ??= (async () => {
    const pglite = await PGlite.create()
    await migrate({ engine: 'postgres', db: openPGlite(pglite) })
    const files = await pglite.dumpDataDir('none')
    await pglite.close()
    return files
  })()
  return PGlite.create({ loadDataDir: await template })
}
