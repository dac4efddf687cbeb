import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`notifications from before get their titles, and tickets from before are read (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0016-titles-and-reads')
    for (const name of ['ada', 'sam']) await insertOldUser(db, name, `${name}@x.test`)
    const people = await db.selectFrom('users').select(['id', 'username']).orderBy('username').execute()
    const [ada = 0, sam = 0] = people.map(({ id }) => id)
    const { id: collection } = await db
      .insertInto('collections')
      .values({
        owner_id: ada,
        title: 'Degree',
        title_key: 'degree',
        is_locked: 0,
        admin_desc: '',
        created_at: 1,
        revision: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: ticket } = await db
      .insertInto('tickets')
      .values({
        title: 'Lost seal',
        title_key: 'lost seal',
        owner_id: ada,
        status: 'ANSWERED',
        is_locked: 0,
        admin_id: sam,
        message_count: 3,
        created_at: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const told = { user_id: ada, is_read: 0, created_at: 1 } as const
    await db
      .insertInto('notifications')
      .values([
        { ...told, type: 'REJECTED_COLLECTION', path: String(collection) },
        { ...told, type: 'REJECTED_COLLECTION', path: '999' },
        { ...told, type: 'REJECTED_COLLECTION', path: `${collection} or so` },
        { ...told, type: 'ANSWER_TICKET', path: String(ticket) },
        { ...told, type: 'APPROVED_COLLECTION', path: null },
      ])
      .execute()
    await migrateTo()

    const titles = await db.selectFrom('notifications').select('title').orderBy('id').execute()
    assert.deepEqual(
      titles.map(({ title }) => title),
      ['Degree', null, null, 'Lost seal', null],
    )
    const reads = await db.selectFrom('ticket_reads').selectAll().orderBy('user_id').execute()
    assert.deepEqual(
      reads.map((read) => ({ ...read })),
      [ada, sam].map((user) => ({ ticket_id: ticket, user_id: user, seen: 3 })),
    )
    const { visitor_seen: seen } = await db.selectFrom('tickets').select('visitor_seen').executeTakeFirstOrThrow()
    assert.equal(seen, 3)
  })
