import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`accounts from before get the address a reset goes to (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0003-two-factor')
    await insertOldUser(db, 'a', 'Ada@x.test')
    await insertOldUser(db, 'b', 'b@x.test')
    await sql`update users set verified_email = 'B@y.test' where username = 'b'`.execute(db)
    await migrateTo()
    const rows = await db
      .selectFrom('users')
      .select(['recovery_email', 'recovery_email_key', 'gfa_is_enabled'])
      .orderBy('username')
      .execute()
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), [
      { recovery_email: 'Ada@x.test', recovery_email_key: 'ada@x.test', gfa_is_enabled: 0 },
      { recovery_email: 'B@y.test', recovery_email_key: 'b@y.test', gfa_is_enabled: 0 },
    ])
    for (const table of ['authenticators', 'challenges', 'recovery_codes', 'email_changes'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [])
  })
}
