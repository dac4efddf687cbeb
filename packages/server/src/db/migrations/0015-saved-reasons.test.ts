import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`a saved text belongs to one person and one decision, once (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0015-saved-reasons')
    for (const name of ['ada', 'sam']) await insertOldUser(db, name, name)
    await migrateTo()

    const save = (userId: number, decision: string) =>
      sql`insert into saved_reasons (user_id, decision, text, text_hash, saved_at)
        values (${userId}, ${decision}, 'Fine', 'ff', 1)`.execute(db)
    await save(1, 'approve')
    await save(1, 'reject')
    await save(2, 'approve')
    await assert.rejects(save(1, 'approve'))
    await assert.rejects(save(1, 'withdraw'))
    await assert.rejects(save(404, 'approve'))
    await sql`delete from users where id = 1`.execute(db)
    const { rows } = await sql<{ user_id: number }>`select user_id from saved_reasons`.execute(db)
    assert.deepEqual(
      rows.map((row) => row.user_id),
      [2],
    )
  })
