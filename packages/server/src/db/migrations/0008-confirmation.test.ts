import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`sessions from before count as confirmed when they began, and told changes keep nothing (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0008-confirmation')
    await insertOldUser(db)
    await sql`insert into sessions (user_id, created_at) values (1, 5), (1, 7)`.execute(db)
    await sql`insert into email_changes (user_id, old_email) values (1, 'old@b')`.execute(db)

    await migrateTo()

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
