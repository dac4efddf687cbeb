import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { findCaller, findViewers } from './service.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

for (const engine of ENGINES) {
  test(`sessions (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const renew = (client: { refresh: string | undefined }) =>
      server.stranger.post('/token/refresh/', { refresh: client.refresh })
    const as = (access: string) => ({ authorization: `Bearer ${access}` })

    await t.test('7.9 an access token says who is asking, and no password or hash is told', async () => {
      const ada = await server.signIn('ada')
      const answer = await ada.get('/user/info')
      assert.equal(answer.status, 200)
      assert.deepEqual(Object.keys(answer.json()).sort(), [
        'email',
        'id',
        'is_active',
        'is_admin',
        'is_email_verified',
        'is_staff',
        'is_superuser',
        'mail_refusal',
        'username',
      ])
    })

    await t.test('without a token, or with a bad one, the answer is 401', async () => {
      const ada = await server.signIn('ada')
      const bad = ['', 'Bearer', 'Bearer x', `Bearer ${'A'.repeat(43)}`, `Basic ${ada.access}`, `Bearer ${ada.refresh}`]
      for (const authorization of bad) {
        const answer = await server.stranger.get('/user/info', { authorization })
        assert.equal(answer.status, 401, authorization)
        assert.equal(answer.json().code, 'not_signed_in')
        assert.equal(answer.headers['www-authenticate'], 'Bearer')
      }
    })

    await t.test('an access token lasts 15 minutes, a refresh token 30 days', async () => {
      const ada = await server.signIn('ada')
      server.clock.advance(15 * MINUTE - 10_000)
      assert.equal((await ada.get('/user/info')).status, 200)
      server.clock.advance(11_000)
      assert.equal((await ada.get('/user/info')).status, 401)
      server.clock.advance(29 * DAY)
      const renewed = await renew(ada)
      assert.equal(renewed.status, 200)
      server.clock.advance(30 * DAY + MINUTE)
      assert.equal((await renew(renewed.json())).status, 401)
    })

    await t.test('every refresh gives a new pair', async () => {
      const ada = await server.signIn('ada')
      const renewed = (await renew(ada)).json()
      assert.notEqual(renewed.access, ada.access)
      assert.notEqual(renewed.refresh, ada.refresh)
      assert.equal((await server.stranger.get('/user/info', as(renewed.access))).status, 200)
      assert.equal((await renew(renewed)).status, 200)
    })

    await t.test(
      'a refresh token used twice ends its whole family and no other session, and the trail says so',
      async () => {
        const other = await server.signIn('ada')
        const ada = await server.signIn('ada')
        const first = (await renew(ada)).json()
        server.clock.advance(31_000)
        const second = await renew(ada)
        assert.equal(second.status, 401)
        assert.equal(second.json().code, 'refresh_invalid')
        assert.equal((await renew(first)).status, 401)
        assert.equal((await server.stranger.get('/user/info', as(first.access))).status, 401)
        assert.equal((await ada.get('/user/info')).status, 401)
        assert.equal((await other.get('/user/info')).status, 200)
        const { id: user } = (await other.get('/user/info')).json()
        const recorded = await server.deps.db
          .selectFrom('audit_entries')
          .select(['actor_id', 'object_kind', 'details'])
          .where('action', '=', 'session_reused')
          .execute()
        assert.deepEqual(recorded, [{ actor_id: null, object_kind: 'session', details: JSON.stringify({ user }) }])
      },
    )

    await t.test(
      'of two refreshes at once one gives a pair that can be renewed, and using the other ends the family',
      async () => {
        const ada = await server.signIn('ada')
        const pairs = (await Promise.all([renew(ada), renew(ada)])).map((answer) => answer.json())
        const answers = await Promise.all(pairs.map(renew))
        const statuses = answers.map((answer) => answer.status)
        assert.equal(statuses.filter((status) => status === 200).length <= 1, true, statuses.join())
        assert.ok(statuses.includes(401), statuses.join())
        for (const { access } of pairs) assert.equal((await server.stranger.get('/user/info', as(access))).status, 401)
      },
    )

    await t.test('what is no refresh token is refused alike', async () => {
      const ada = await server.signIn('ada')
      for (const refresh of ['x', 'A'.repeat(43), 'A'.repeat(5000), ada.access, "' or 1=1 --", '\u0000'.repeat(43)]) {
        const answer = await renew({ refresh })
        assert.equal(answer.status, 401)
        assert.equal(answer.json().code, 'refresh_invalid')
      }
      assert.equal((await ada.get('/user/info')).status, 200)
      assert.equal((await server.stranger.post('/token/refresh/', {})).status, 400)
    })

    await t.test('signing out ends the session at once and may be repeated', async () => {
      const ada = await server.signIn('ada')
      const signOut = (client: TestClient) => client.post('/auth/logout/', { refresh: client.refresh })
      assert.equal((await signOut(ada)).status, 200)
      assert.equal((await ada.get('/user/info')).status, 401)
      assert.equal((await renew(ada)).status, 401)
      assert.equal((await signOut(ada)).status, 200)
    })

    await t.test('signing out works with the refresh token alone, and not with nothing', async () => {
      const ada = await server.signIn('ada')
      assert.equal((await server.stranger.post('/auth/logout/', { refresh: ada.refresh })).status, 200)
      assert.equal((await ada.get('/user/info')).status, 401)
      assert.equal((await server.stranger.post('/auth/logout/', {})).status, 401)
    })

    await t.test(
      '7.5 signing out needs no refresh token where the access token is there, and none that holds',
      async () => {
        for (const refresh of [null, '', 'x', 'A'.repeat(5000)]) {
          const ada = await server.signIn('ada')
          assert.equal((await ada.post('/auth/logout/', { refresh })).status, 200, String(refresh))
          assert.equal((await ada.get('/user/info')).status, 401)
        }
        for (const refresh of [null, ''])
          assert.equal((await server.stranger.post('/auth/logout/', { refresh })).status, 401)
        assert.equal((await server.stranger.post('/auth/logout/', { refresh: 5 })).status, 400)
      },
    )

    await t.test('a deactivated person is out at once', async () => {
      const bob = await server.signIn('bob')
      const { sessionId } = (await findCaller(server.deps, bob.access ?? '')) ?? { sessionId: 0 }
      assert.equal((await findViewers(server.deps, [sessionId])).size, 1)
      await server.deps.db.updateTable('users').set({ is_active: 0 }).where('username', '=', 'bob').execute()
      assert.equal((await bob.get('/user/info')).status, 401)
      assert.equal((await findViewers(server.deps, [sessionId])).size, 0, 'nor are they told of anything')
      assert.equal((await renew(bob)).status, 401)
    })

    await t.test('only hashes of tokens are stored', async () => {
      const ada = await server.signIn('ada')
      const rows = JSON.stringify(await server.deps.db.selectFrom('session_tokens').selectAll().execute())
      assert.ok(ada.access && ada.refresh)
      assert.ok(!rows.includes(ada.access) && !rows.includes(ada.refresh))
    })

    await t.test('what has run out is swept, with sessions that nothing can renew', async () => {
      await server.signIn('ada')
      server.clock.advance(31 * DAY)
      const kept = await server.signIn('ada')
      await server.sweep()
      assert.equal((await server.deps.db.selectFrom('session_tokens').selectAll().execute()).length, 2)
      assert.equal((await server.deps.db.selectFrom('sessions').selectAll().execute()).length, 1)
      assert.equal((await kept.get('/user/info')).status, 200)
    })
  })
}
