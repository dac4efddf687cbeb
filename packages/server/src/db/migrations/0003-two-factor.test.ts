import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addTwoFactor } from './0003-two-factor.ts'

const BEFORE = { first_name: '', last_name: '', phone_number: '', joined_at: 1 }

for (const engine of ENGINES) {
  test(`accounts from before get the address a reset goes to (${engine})`, async (t) => {
    const database = await openEmptyDatabase(t, engine)
    const schemaless = database.db as unknown as Kysely<{ users: Record<string, unknown> }>
    await createFirstTables(database.db as Kysely<unknown>, database.engine)
    await schemaless
      .insertInto('users')
      .values([
        {
          ...BEFORE,
          username: 'a',
          username_key: 'a',
          email: 'Ada@x.test',
          email_key: 'ada@x.test',
          verified_email: null,
        },
        {
          ...BEFORE,
          username: 'b',
          username_key: 'b',
          email: 'b@x.test',
          email_key: 'b@x.test',
          verified_email: 'B@y.test',
        },
      ])
      .execute()
    await addTwoFactor(database.db as Kysely<unknown>, database.engine)
    const rows = await database.db
      .selectFrom('users')
      .select(['recovery_email', 'recovery_email_key', 'gfa_is_enabled'])
      .orderBy('username')
      .execute()
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), [
      { recovery_email: 'Ada@x.test', recovery_email_key: 'ada@x.test', gfa_is_enabled: 0 },
      { recovery_email: 'B@y.test', recovery_email_key: 'b@y.test', gfa_is_enabled: 0 },
    ])
    for (const table of ['authenticators', 'challenges', 'recovery_codes', 'email_changes'] as const)
      assert.deepEqual(await database.db.selectFrom(table).selectAll().execute(), [])
  })
}
