import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { insertTicket, listTickets } from '../../features/tickets/queries.ts'
import { all, findCut } from '../list.ts'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { migrate } from '../migrate.ts'
import type { OpenDatabase } from '../open.ts'
import { createFirstTables } from './0001-first.ts'

for (const engine of ENGINES) {
  test(`tickets come to a database that has people in it already (${engine})`, async (t) => {
    const database = await openEmptyDatabase(t, engine)
    await migrateToFirst(database)
    await insertFirstPerson(database)
    await assert.rejects(database.db.selectFrom('tickets').selectAll().execute())

    await migrate(database)
    await migrate(database)

    const { db } = database
    const person = await db.selectFrom('users').select(['id', 'username']).executeTakeFirstOrThrow()
    assert.equal(person.username, 'ada')
    await insertTicket(db, { ownerId: person.id }, { title: 'First', now: 1 })
    const roles = { is_staff: false, is_admin: false, is_superuser: false }
    const viewer = { ...person, ...roles, email: 'ada@example.org', is_email_verified: true }
    const order = { by: 'created_at', direction: 'desc' } as const
    const tickets = await listTickets(db, { kind: 'person', viewer }, all([]), order, findCut(1, 1))
    assert.deepEqual(
      tickets.map(({ title, username }) => [title, username]),
      [['First', 'ada']],
    )
  })

  test(`a ticket has an asker: an account or an address, not both and not none (${engine})`, async (t) => {
    const database = await openEmptyDatabase(t, engine)
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

/** Somebody with the columns of that time: today's queries may know more of them. */
async function insertFirstPerson({ db }: OpenDatabase): Promise<void> {
  await sql`insert into users
    (username, username_key, email, email_key, verified_email, first_name, last_name, phone_number, is_email_verified, joined_at)
    values ('ada', 'ada', 'ada@example.org', 'ada@example.org', 'ada@example.org', 'Ada', 'L', '1', 1, 1)`.execute(db)
}

/** The schema as the version before left it. */
async function migrateToFirst({ db, engine }: OpenDatabase): Promise<void> {
  const first = { up: (transaction: Kysely<unknown>) => createFirstTables(transaction, engine) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ '0001-first': first }) } })
  const { error } = await migrator.migrateToLatest()
  assert.equal(error, undefined)
}
