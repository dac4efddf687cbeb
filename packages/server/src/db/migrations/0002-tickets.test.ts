import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { insertTicket, listTickets } from '../../features/tickets/queries.ts'
import { all } from '../../features/tickets/ticket-filter.ts'
import { insertUser } from '../../features/users/queries.ts'
import { ENGINES } from '../../testing.ts'
import { migrate } from '../migrate.ts'
import { openSqlite, type Engine, type OpenDatabase } from '../open.ts'
import type { Tables } from '../schema.ts'
import { createFirstTables } from './0001-first.ts'

for (const engine of ENGINES) {
  test(`tickets come to a database that has people in it already (${engine})`, async (t) => {
    const database = await openEmpty(t, engine)
    await migrateToFirst(database)
    const ada = await insertUser(database.db, {
      username: 'ada',
      email: 'ada@example.org',
      verified_email: 'ada@example.org',
      first_name: 'Ada',
      last_name: 'L',
      phone_number: '1',
      birthdate: null,
      password_hash: null,
      is_active: 1,
      is_staff: 0,
      is_admin: 0,
      is_superuser: 0,
      is_email_verified: 1,
      gfa_is_enabled: 0,
      joined_at: 1,
    })
    assert.ok(ada)
    await assert.rejects(database.db.selectFrom('tickets').selectAll().execute())

    await migrate(database)
    await migrate(database)

    const { db } = database
    assert.equal((await db.selectFrom('users').select('username').executeTakeFirstOrThrow()).username, 'ada')
    await insertTicket(db, { ownerId: ada.id }, { title: 'First', now: 1 })
    const viewer = { ...ada, is_email_verified: true }
    const order = { by: 'created_at', direction: 'desc' } as const
    const tickets = await listTickets(db, { kind: 'person', viewer }, all([]), order, 0)
    assert.deepEqual(
      tickets.map(({ title, username }) => [title, username]),
      [['First', 'ada']],
    )
  })

  test(`a ticket has an asker: an account or an address, not both and not none (${engine})`, async (t) => {
    const database = await openEmpty(t, engine)
    await migrate(database)
    const row = { title: 'x', title_key: 'x', visitor_id: null, admin_id: null, created_at: 1 } as const
    const state = { status: 'OPEN', is_locked: 0 } as const
    const insert = (asker: { owner_id: null; email: string | null; email_key: string | null }) =>
      database.db
        .insertInto('tickets')
        .values({ ...row, ...state, ...asker })
        .execute()
    await assert.rejects(insert({ owner_id: null, email: null, email_key: null }))
    await insert({ owner_id: null, email: 'a@b', email_key: 'a@b' })
  })
}

async function openEmpty(t: TestContext, engine: Engine): Promise<OpenDatabase> {
  if (engine === 'sqlite') {
    const dir = await mkdtemp(join(tmpdir(), 'proofdesk-migration-'))
    const database = openSqlite(join(dir, 'proofdesk.sqlite'))
    t.after(async () => {
      await database.close()
      await rm(dir, { recursive: true, force: true })
    })
    return database
  }
  const pglite = await PGlite.create()
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  t.after(() => pglite.close())
  return { engine, db, reads: db, close: async () => {} }
}

/** The schema as the version before left it. */
async function migrateToFirst({ db, engine }: OpenDatabase): Promise<void> {
  const first = { up: (transaction: Kysely<unknown>) => createFirstTables(transaction, engine) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ '0001-first': first }) } })
  const { error } = await migrator.migrateToLatest()
  assert.equal(error, undefined)
}
