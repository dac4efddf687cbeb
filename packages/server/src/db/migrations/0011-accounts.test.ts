import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`accounts from before keep their names, also those that look alike (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0011-accounts')
    const names = ['alice', '\u0430lice', 'al\u0131ce', 'bob', 'Proofdesk']
    for (const [at, name] of names.entries()) await insertOldUser(db, name, `${at}@x.test`)
    const { id } = await db.selectFrom('users').select('id').where('username', '=', 'bob').executeTakeFirstOrThrow()
    for (const at of [10, 20]) await old.insertInto('sessions').values({ user_id: id, created_at: at }).execute()

    await migrateTo()

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
    await insertOldUser(db, 'b0b', 'b0b@x.test')
    await assert.rejects(sql`update users set username_skeleton = 'bob' where username = 'b0b'`.execute(db))
  })
