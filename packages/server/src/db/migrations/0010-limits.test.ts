import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`work that waits from before keeps its order, and known networks end with their person (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0010-limits')
    await insertOldUser(db)
    await sql`insert into outbox (kind, payload, attempts, due_at, created_at)
      values ('remove_blob', '{}', 0, 1, 1)`.execute(db)
    await sql`insert into challenges (hash, user_id, client, created_at) values ('h', 1, 'c', 1)`.execute(db)

    await migrateTo()

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
