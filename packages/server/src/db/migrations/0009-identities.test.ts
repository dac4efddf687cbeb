import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addIdentities } from './0009-identities.ts'

for (const engine of ENGINES) {
  test(`one person at a provider is one account, and the other way round; both end with it (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    for (const name of ['ada', 'bea'])
      await sql`insert into users
        (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at)
        values (${name}, ${name}, ${name}, ${name}, '', '', '', 1)`.execute(db)

    await addIdentities(db as Kysely<unknown>, kind)

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
