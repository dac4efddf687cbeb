import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openPostgresSchema, type OpenDatabase } from '../../db/open.ts'
import { makeTestDatabase } from '../engines.ts'
import { makeRealDatabase } from '../real-postgres.ts'
import { explain } from './explain.ts'
import { fillTables } from './fill.ts'
import { findScans } from './scans.ts'
import { toKey, type SqlEngine, type Statement } from './statements.ts'

/** How a database answers one statement. */
export interface Answered {
  plan: string[]
  /** Tables that are read from one end to the other. */
  scans: string[]
}

export interface Explained {
  /** Of the database. */
  version: string
  /** By the keys of the statements that it is sent. */
  answers: Map<string, Answered>
}

/** Explains statements on a database of one engine that is filled for it. */
export async function explainAll(engine: SqlEngine, statements: readonly Statement[]): Promise<Explained> {
  const { database, drop } = await openFilled(engine)
  try {
    const samples = await fillTables(database)
    const parts = await listPartIndexes(database)
    const answered = new Map<string, Answered>()
    for (const statement of statements.filter(({ engines }) => engines.includes(engine))) {
      const plan = await explain(database, samples, statement.sql).catch((cause: unknown) => {
        throw new Error(`${statement.sender} of ${statement.file} cannot be explained: ${statement.sql}`, { cause })
      })
      answered.set(toKey(statement), { plan, scans: findScans(engine, statement.sql, plan, parts) })
    }
    return { version: await readVersion(database), answers: answered }
  } finally {
    await database.close()
    await drop()
  }
}

async function openFilled(engine: SqlEngine): Promise<{ database: OpenDatabase; drop: () => Promise<void> }> {
  if (engine === 'postgres') {
    const real = await makeRealDatabase('migrated')
    return { database: openPostgresSchema(real.url), drop: real.drop }
  }
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-filled-'))
  const database = await makeTestDatabase('sqlite', folder).open()
  return { database, drop: () => rm(folder, { recursive: true }) }
}

async function listPartIndexes({ db, engine }: OpenDatabase): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`${
    engine === 'sqlite'
      ? sql`select name from sqlite_master where type = 'index' and sql like '% where %'`
      : sql`select indexrelid::regclass::text as name from pg_index where indpred is not null`
  }`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function readVersion({ db, engine }: OpenDatabase): Promise<string> {
  const asked =
    engine === 'sqlite'
      ? sql<{ version: string }>`select sqlite_version() as version`
      : sql<{ version: string }>`select current_setting('server_version_num')::int / 10000 as version`
  return String((await asked.execute(db)).rows[0]?.version)
}
