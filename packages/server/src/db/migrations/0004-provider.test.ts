import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`accounts from before stay, and what is remembered of a provider ends with its person (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0004-provider')
    await insertOldUser(db)
    await migrateTo()

    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await db.insertInto('provider_uses').values({ hash: 'u', expires_at: Date.now() }).execute()
    await db.insertInto('provider_entries').values({ hash: 'e', user_id: id, expires_at: Date.now() }).execute()
    await assert.rejects(db.insertInto('provider_uses').values({ hash: 'u', expires_at: 2 }).execute())
    await db.deleteFrom('users').execute()
    assert.deepEqual(await db.selectFrom('provider_entries').selectAll().execute(), [])
  })
}
