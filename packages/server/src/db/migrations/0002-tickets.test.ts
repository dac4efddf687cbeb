import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertTicket, listTickets } from '../../features/tickets/queries.ts'
import { all, findCut } from '../list.ts'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { migrate } from '../migrate.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`tickets come to a database that has people in it already (${engine})`, async (t) => {
    const database = await openBefore(t, engine, '0002-tickets')
    await insertOldUser(database.db)
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
