import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../db/migrate.ts'
import { openPostgres } from '../db/open.ts'
import { findPostgresPrograms, startPrivatePostgres } from './private-postgres.ts'

/** Where the PostgreSQL stands that the test command started for all test files; a file run alone starts its own. */
export const POSTGRES_URL_VARIABLE = 'PROOFDESK_TEST_POSTGRES'

const TEMPLATE = 'proofdesk_migrated'
/** A number that nobody else locks by. */
const TEMPLATE_LOCK = 7_033_001
/** Those before it know none, and copy file by file. */
const FIRST_WITH_STRATEGIES = 15

export const hasRealPostgres = process.env[POSTGRES_URL_VARIABLE] !== undefined || findPostgresPrograms() !== undefined

/** A database of one test on a real PostgreSQL. */
export interface RealDatabase {
  url: string
  /** Cuts every connection to it, as a failing network or a restarted server does. */
  cutConnections(): Promise<void>
  drop(): Promise<void>
}

/** @param content `migrated` has today's schema and no rows; `empty` has nothing */
export async function makeRealDatabase(content: 'migrated' | 'empty'): Promise<RealDatabase> {
  const { url: adminUrl, template, copying } = await (prepared ??= prepare())
  const name = `proofdesk_${randomBytes(8).toString('hex')}`
  const source = content === 'migrated' ? template : 'template0'
  await askAdmin(adminUrl, `create database ${name} template ${source} ${copying}`)
  return {
    url: addressOf(adminUrl, name),
    cutConnections: () =>
      askAdmin(
        adminUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${name}' and backend_type = 'client backend'`,
      ),
    drop: () => askAdmin(adminUrl, `drop database ${name} with (force)`),
  }
}

let admin: pg.Pool | undefined

/** On one connection of this process: to open one takes PostgreSQL 30 ms of a core, and every test asks at least twice. */
async function askAdmin(url: string, text: string): Promise<void> {
  admin ??= openAdmin(url)
  await admin.query(text)
}

function openAdmin(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // PostgreSQL may end before this process does.
  pool.on('error', () => {})
  return pool
}

interface Prepared {
  url: string
  template: string
  /** What a new database is asked for with: file by file it takes a third of the work of page by page. */
  copying: string
}

let prepared: Promise<Prepared> | undefined

async function prepare(): Promise<Prepared> {
  const url = process.env[POSTGRES_URL_VARIABLE] ?? (await startOwn())
  const version = await makeTemplate(url)
  return { url, template: TEMPLATE, copying: version < FIRST_WITH_STRATEGIES ? '' : 'strategy file_copy' }
}

async function startOwn(): Promise<string> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL (Debian package postgresql) is not installed')
  return (await startPrivatePostgres(programs)).url
}

/** The first test file makes it, those that come meanwhile wait. @returns the major version of PostgreSQL */
async function makeTemplate(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`)
    const { rows: asked } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    )
    const version = asked[0]?.version ?? 0
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (rowCount !== 0) return version
    await client.query(`drop database if exists ${TEMPLATE}_unfinished`)
    await client.query(`create database ${TEMPLATE}_unfinished template template0`)
    const database = openPostgres(addressOf(url, `${TEMPLATE}_unfinished`), { maxConnections: 1 })
    await migrate(database)
    await database.close()
    await client.query(`alter database ${TEMPLATE}_unfinished rename to ${TEMPLATE}`)
    return version
  } finally {
    await client.end()
  }
}

function addressOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
