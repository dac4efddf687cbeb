import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addTwoFactor } from './0003-two-factor.ts'
import { addLimits } from './0010-limits.ts'

for (const engine of ENGINES) {
  test(`work that waits from before keeps its order, and known networks end with their person (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    await addTwoFactor(db as Kysely<unknown>, kind)
    // With the columns of that time: today's queries may know more of them.
    await sql`insert into users
      (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at)
      values ('ada', 'ada', 'a@b', 'a@b', '', '', '', 1)`.execute(db)
    await sql`insert into outbox (kind, payload, attempts, due_at, created_at)
      values ('remove_blob', '{}', 0, 1, 1)`.execute(db)
    await sql`insert into challenges (hash, user_id, client, created_at) values ('h', 1, 'c', 1)`.execute(db)

    await addLimits(db as Kysely<unknown>, kind)

    const { asked_by, turn } = await db.selectFrom('outbox').select(['asked_by', 'turn']).executeTakeFirstOrThrow()
    assert.deepEqual([asked_by, turn], [null, 0])
    const step = await db.selectFrom('challenges').select(['agent', 'bare_wrong_codes']).executeTakeFirstOrThrow()
    assert.deepEqual({ ...step }, { agent: '', bare_wrong_codes: 0 })
    const network = { user_id: 1, mark: 'm', used_at: Date.now() }
    await db.insertInto('known_networks').values(network).execute()
    await assert.rejects(db.insertInto('known_networks').values(network).execute())
    await sql`delete from users`.execute(db)
    assert.deepEqual(await db.selectFrom('known_networks').selectAll().execute(), [])
  })
}
