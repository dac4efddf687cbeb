import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { checkCounts } from '../../counts/check-counts.ts'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`12.7 of a database from before, what is there is counted, and what has expired is marked (${engine})`, async (t) => {
    const database = await openBefore(t, engine, '0023-counters')
    const { db, migrateTo } = database
    // With the columns of that time: today's queries may know more of them.
    await insertOldUser(db)
    await insertOldUser(db, 'sam', 's@b')
    await sql`update users set is_staff = 1 where id = 2`.execute(db)
    const later = Date.now() + 1e9
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at, is_locked, proofid, expire_time)
      values (1, 'New', 'new', 'Admin Not approve yet', 2, 0, null, null),
        (1, 'Back', 'back', 'Sign it', 2, 0, null, null),
        (1, 'Lasts', 'lasts', 'Fine', 2, 1, 'a', ${later}),
        (1, 'Over', 'over', 'Fine', 2, 1, 'b', 5)`.execute(db)
    await sql`insert into tickets (title, title_key, owner_id, status, created_at)
      values ('Help', 'help', 1, 'OPEN', 1)`.execute(db)
    await migrateTo()

    const readCounts = async () =>
      db
        .selectFrom('collection_counts')
        .selectAll()
        .where('amount', '<>', 0)
        .orderBy('is_locked')
        .orderBy('is_answered')
        .orderBy('lapsed')
        .execute()
    const state = (is_locked: number, has_proofid: number, is_answered: number, lapsed: number) => ({
      is_locked,
      has_proofid,
      is_answered,
      lapsed,
      amount: 1,
    })
    assert.deepEqual(
      (await readCounts()).map((row) => ({ ...row })),
      [state(0, 0, 0, 0), state(0, 0, 1, 0), state(1, 1, 1, 0), state(1, 1, 1, 1)],
    )
    const marks = await db.selectFrom('collections').select('lapsed').orderBy('id').execute()
    assert.deepEqual(
      marks.map(({ lapsed }) => lapsed),
      [0, 0, 0, 1],
    )
    assert.deepEqual((await checkCounts(database)).wrong, [])

    // From here on each change is counted, whoever makes it.
    await sql`update collections set expire_time = ${later} where id = 4`.execute(db)
    assert.equal(
      (await db.selectFrom('collections').select('lapsed').where('id', '=', 4).executeTakeFirst())?.lapsed,
      0,
    )
    await sql`update collections set expire_time = null, is_locked = 0, admin_desc = 'x' where id = 3`.execute(db)
    await sql`delete from collections where id = 1`.execute(db)
    await sql`update users set is_admin = 1`.execute(db)
    await sql`update tickets set status = 'ANSWERED', is_locked = 1`.execute(db)
    assert.deepEqual((await checkCounts(database)).wrong, [])
    assert.equal((await db.selectFrom('ticket_counts').selectAll().where('amount', '>', 0).execute()).length > 0, true)
  })
