import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`one person at a provider is one account, and the other way round; both end with it (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0009-identities')
    for (const name of ['ada', 'bea']) await insertOldUser(db, name, name)

    await migrateTo()

    const add = (user_id: number, issuer: string, subject: string) =>
      db
        .insertInto('identities')
        .values({ user_id, provider: 'oidc', issuer, subject, email: 'same@b', linked_at: 1 })
        .execute()
    await add(1, 'https://a.example', 's')
    await add(1, 'https://b.example', 's')
    await add(2, 'https://a.example', 'S')
    await assert.rejects(add(2, 'https://b.example', 's'))
    await assert.rejects(add(1, 'https://a.example', 'other'))
    const pending = { provider: 'oidc', issuer: 'i', subject: 's', email: '', expires_at: 1 } as const
    await db
      .insertInto('pending_identities')
      .values({ ...pending, hash: 'h', user_id: 1 })
      .execute()
    await db
      .insertInto('pending_identities')
      .values({ ...pending, hash: null, user_id: 1 })
      .execute()
    await assert.rejects(
      db
        .insertInto('pending_identities')
        .values({ ...pending, hash: 'h', user_id: null })
        .execute(),
    )
    await db.deleteFrom('users').execute()
    for (const table of ['identities', 'pending_identities'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [])
  })
}
