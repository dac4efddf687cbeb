import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../db/migrate.ts'
import { openPostgres } from '../db/open.ts'
import { askPostgres, findPostgresPrograms, startPrivatePostgres } from './private-postgres.ts'

/** Where the PostgreSQL stands that the test command started for all test files; a file run alone starts its own. */
export const POSTGRES_URL_VARIABLE = 'PROOFDESK_TEST_POSTGRES'

const TEMPLATE = 'proofdesk_migrated'
/** A number that nobody else locks by. */
const TEMPLATE_LOCK = 7_033_001

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
  const { url: adminUrl, template } = await (prepared ??= prepare())
  const name = `proofdesk_${randomBytes(8).toString('hex')}`
  await askPostgres(adminUrl, `create database ${name} template ${content === 'migrated' ? template : 'template0'}`)
  return {
    url: addressOf(adminUrl, name),
    cutConnections: () =>
      askPostgres(
        adminUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${name}' and backend_type = 'client backend'`,
      ),
    drop: () => askPostgres(adminUrl, `drop database ${name} with (force)`),
  }
}

let prepared: Promise<{ url: string; template: string }> | undefined

async function prepare(): Promise<{ url: string; template: string }> {
  const url = process.env[POSTGRES_URL_VARIABLE] ?? (await startOwn())
  await makeTemplate(url)
  return { url, template: TEMPLATE }
}

async function startOwn(): Promise<string> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL (Debian package postgresql) is not installed')
  return (await startPrivatePostgres(programs)).url
}

/** The first test file makes it, those that come meanwhile wait. */
async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE])
    if (rowCount !== 0) return
    await client.query(`drop database if exists ${TEMPLATE}_unfinished`)
    await client.query(`create database ${TEMPLATE}_unfinished template template0`)
    const database = openPostgres(addressOf(url, `${TEMPLATE}_unfinished`), 1)
    await migrate(database)
    await database.close()
    await client.query(`alter database ${TEMPLATE}_unfinished rename to ${TEMPLATE}`)
  } finally {
    await client.end()
  }
}

function addressOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  return url.href
}
