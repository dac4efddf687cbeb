import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addTwoFactor } from './0003-two-factor.ts'
import { addProviderLogin } from './0004-provider.ts'

const ADA = {
  username: 'ada',
  username_key: 'ada',
  email: 'ada@x.test',
  email_key: 'ada@x.test',
  verified_email: null,
  recovery_email: 'ada@x.test',
  recovery_email_key: 'ada@x.test',
  first_name: '',
  last_name: '',
  phone_number: '',
  joined_at: 1,
}

for (const engine of ENGINES) {
  test(`accounts from before stay, and what is remembered of a provider ends with its person (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    await addTwoFactor(db as Kysely<unknown>, kind)
    const schemaless = db as unknown as Kysely<{ users: Record<string, unknown> }>
    await schemaless.insertInto('users').values(ADA).execute()
    await addProviderLogin(db as Kysely<unknown>, kind)

    const { id } = await db.selectFrom('users').select('id').where('email', '=', ADA.email).executeTakeFirstOrThrow()
    await db.insertInto('provider_uses').values({ hash: 'u', expires_at: Date.now() }).execute()
    await db.insertInto('provider_entries').values({ hash: 'e', user_id: id, expires_at: Date.now() }).execute()
    await assert.rejects(db.insertInto('provider_uses').values({ hash: 'u', expires_at: 2 }).execute())
    await db.deleteFrom('users').execute()
    assert.deepEqual(await db.selectFrom('provider_entries').selectAll().execute(), [])
  })
}
