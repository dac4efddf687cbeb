import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addTwoFactor } from './0003-two-factor.ts'
import { addConfirmation } from './0008-confirmation.ts'

for (const engine of ENGINES) {
  test(`sessions from before count as confirmed when they began, and told changes keep nothing (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    await addTwoFactor(db as Kysely<unknown>, kind)
    await sql`insert into users
      (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at)
      values ('ada', 'ada', 'a@b', 'a@b', '', '', '', 1)`.execute(db)
    await sql`insert into sessions (user_id, created_at) values (1, 5), (1, 7)`.execute(db)
    await sql`insert into email_changes (user_id, old_email) values (1, 'old@b')`.execute(db)

    await addConfirmation(db as Kysely<unknown>)

    const sessions = await db.selectFrom('sessions').select(['created_at', 'confirmed_at']).orderBy('id').execute()
    assert.deepEqual(
      sessions.map(({ created_at, confirmed_at }) => [created_at, confirmed_at]),
      [
        [5, 5],
        [7, 7],
      ],
    )
    const changes = await db.selectFrom('email_changes').select(['held_email_key', 'undo_hash', 'undo_until']).execute()
    assert.deepEqual(
      changes.map((row) => ({ ...row })),
      [{ held_email_key: null, undo_hash: null, undo_until: null }],
    )
  })
}
