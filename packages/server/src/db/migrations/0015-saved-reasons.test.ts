import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addSavedReasons } from './0015-saved-reasons.ts'

for (const engine of ENGINES)
  test(`a saved text belongs to one person and one decision, once (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    for (const name of ['ada', 'sam'])
      // With the columns of that time: today's queries may know more of them.
      await sql`insert into users
        (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at)
        values (${name}, ${name}, ${name}, ${name}, '', '', '', 1)`.execute(db)
    await addSavedReasons(db as Kysely<unknown>, kind)

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
