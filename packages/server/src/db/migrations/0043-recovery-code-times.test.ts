import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`recovery codes from before count as older than any change (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0043-recovery-code-times')
    await insertOldUser(db, 'ada', 'ada@b.c')
    await sql`insert into recovery_codes (user_id, hash) values (1, 'r')`.execute(db)
    await migrateTo()
    assert.deepEqual(await old.selectFrom('recovery_codes').select('made_at').execute(), [{ made_at: 0 }])
  })
