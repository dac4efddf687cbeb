import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { migrate } from '../db/migrate.ts'
import { openSqlite, type Engine, type OpenDatabase } from '../db/open.ts'
import type { Listen } from '../db/pg-listen.ts'
import type { Tables } from '../db/schema.ts'

/** Every test of a query runs on each. */
export const ENGINES = ['sqlite', 'postgres'] as const satisfies readonly Engine[]

/** A database of one test, which outlives restarts of the server on it. */
export interface TestDatabase {
  /** Opens it, migrated; after `close` of the one opened before. */
  open(): Promise<OpenDatabase>
  /** Ends it for good. */
  drop(): Promise<void>
}

export function makeTestDatabase(engine: Engine, dataDir: string): TestDatabase {
  return engine === 'sqlite' ? makeSqliteDatabase(dataDir) : makePGliteDatabase()
}

function makeSqliteDatabase(dataDir: string): TestDatabase {
  return {
    open: async () => {
      const database = openSqlite(join(dataDir, 'proofdesk.sqlite'))
      await migrate(database)
      return database
    },
    drop: async () => {},
  }
}

function makePGliteDatabase(): TestDatabase {
  let pglite: PGlite | undefined
  return {
    open: async () => {
      pglite ??= await startPGlite()
      const db = openPGlite(pglite)
      return { engine: 'postgres', db, reads: db, listen: listenOn(pglite), close: async () => {} }
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

function openPGlite(pglite: PGlite): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
}

/** A migrated, empty cluster, made once a process: starting from its files is much faster than from nothing. */
let template: Promise<File | Blob> | undefined

async function startPGlite(): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  template ??= (async () => {
    const pglite = await PGlite.create()
    await migrate({ engine: 'postgres', db: openPGlite(pglite), reads: openPGlite(pglite), close: async () => {} })
    const files = await pglite.dumpDataDir('none')
    await pglite.close()
    return files
  })()
  return PGlite.create({ loadDataDir: await template })
}
