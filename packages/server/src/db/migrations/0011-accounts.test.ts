import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addAccountRules } from './0011-accounts.ts'

function personCalled(username: string) {
  const email = `${Buffer.from(username).toString('hex')}@x.test`
  const key = username.toLowerCase()
  return {
    username,
    username_key: key,
    email,
    email_key: email,
    verified_email: null,
    first_name: '',
    last_name: '',
    phone_number: '',
    joined_at: 1,
  }
}

for (const engine of ENGINES)
  test(`accounts from before keep their names, also those that look alike (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    const schemaless = db as unknown as Kysely<Record<string, Record<string, unknown>>>
    const names = ['alice', '\u0430lice', 'al\u0131ce', 'bob', 'Proofdesk']
    for (const name of names) await schemaless.insertInto('users').values(personCalled(name)).execute()
    const { id } = await db.selectFrom('users').select('id').where('username', '=', 'bob').executeTakeFirstOrThrow()
    for (const at of [10, 20]) await schemaless.insertInto('sessions').values({ user_id: id, created_at: at }).execute()

    await addAccountRules(db as Kysely<unknown>)

    const users = await db
      .selectFrom('users')
      .select(['username', 'username_skeleton', 'last_sign_in_at'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      users.map(({ username }) => username),
      names,
    )
    const [alice, second, third, bob, house] = users
    assert.ok(alice?.username_skeleton && bob?.username_skeleton && house?.username_skeleton)
    assert.deepEqual([second?.username_skeleton, third?.username_skeleton], [null, null])
    assert.deepEqual([bob.last_sign_in_at, alice.last_sign_in_at], [20, null])
    const sessions = await db
      .selectFrom('sessions')
      .select(['created_at', 'last_used_at', 'browser'])
      .orderBy('created_at')
      .execute()
    assert.deepEqual(
      sessions.map((session) => [session.created_at, session.last_used_at, session.browser]),
      [
        [10, 10, null],
        [20, 20, null],
      ],
    )
    await assert.rejects(
      schemaless
        .insertInto('users')
        .values({ ...personCalled('b0b'), username_skeleton: 'bob' })
        .execute(),
    )
  })
