import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { makeClient, type TestClient } from '../../testing/client.ts'
import { findViewers } from './service.ts'

const DAY = 24 * 60 * 60 * 1000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

async function signInFrom(server: TestServer, username: string, agent?: string): Promise<TestClient> {
  const answer = await server.stranger.post(
    '/auth/login/',
    { username, password: TEST_PASSWORD },
    agent === undefined ? {} : { 'user-agent': agent },
  )
  assert.equal(answer.status, 200)
  return makeClient(() => server.app, answer.json())
}

async function listOwn(client: TestClient) {
  const answer = await client.get('/profile/sessions/')
  assert.equal(answer.status, 200)
  return answer.json().results
}

async function isIn(client: TestClient): Promise<boolean> {
  return (await client.get('/user/info')).status === 200
}

async function countSessions({ deps: { db } }: TestServer, userId: number): Promise<number> {
  return (await db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()).length
}

for (const engine of ENGINES) {
  test(`one’s own sessions (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    server.clock.stop(Date.UTC(2027, 0, 1))

    await t.test(
      'are listed with when they began, when they were used and from where, the present one marked',
      async () => {
        await server.createUser({ username: 'ada' })
        const began = server.clock.now()
        const desk = await signInFrom(server, 'ada', FIREFOX)
        server.clock.advance(60_000)
        const phone = await signInFrom(server, 'ada', IPHONE)
        server.clock.advance(60_000)
        assert.equal((await server.stranger.post('/token/refresh/', { refresh: desk.refresh })).status, 200)
        const sessions = await listOwn(phone)
        assert.equal(sessions.length, 2)
        const [first, second] = sessions
        assert.deepEqual(
          { ...first, id: 0 },
          {
            id: 0,
            created_at: new Date(began + 60_000).toISOString(),
            last_used_at: new Date(began + 60_000).toISOString(),
            browser: 'Safari',
            system: 'iOS',
            network: '127.0.*.*',
            is_current: true,
          },
        )
        assert.deepEqual([second.browser, second.system, second.is_current], ['Firefox', 'Linux', false])
        assert.equal(second.last_used_at, new Date(began + 120_000).toISOString())
      },
    )

    await t.test('keep nothing of a user agent but names that are known', async () => {
      await server.createUser({ username: 'bob' })
      const odd = await signInFrom(server, 'bob', `<script>${'x'.repeat(5000)}</script>`)
      const [session] = await listOwn(odd)
      assert.deepEqual([session.browser, session.system], [null, null])
      const none = await signInFrom(server, 'bob', '')
      assert.equal((await listOwn(none))[0].browser, null)
    })

    await t.test('end one by one, and nobody ends those of another', async () => {
      const eve = await server.signIn('eve')
      const [own] = await listOwn(eve)
      const bob = await signInFrom(server, 'bob')
      const other = (await listOwn(bob)).find((session: { is_current: boolean }) => !session.is_current)
      assert.equal((await eve.delete(`/profile/sessions/${other.id}/`)).status, 404)
      assert.equal((await bob.delete(`/profile/sessions/${other.id}/`)).status, 204)
      assert.equal((await bob.delete(`/profile/sessions/${other.id}/`)).status, 404)
      assert.equal((await eve.delete(`/profile/sessions/${own.id}/`)).status, 204)
      assert.equal(await isIn(eve), false)
      assert.equal(await isIn(bob), true)
    })

    await t.test('end all but this one at once', async () => {
      const [here, there, elsewhere] = [
        await server.signIn('grace'),
        await server.signIn('grace'),
        await server.signIn('grace'),
      ]
      const answer = await here.post('/profile/sessions/end_others/', {})
      assert.equal(answer.status, 200)
      assert.deepEqual([await isIn(here), await isIn(there), await isIn(elsewhere)], [true, false, false])
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: there.refresh })).status, 401)
    })
  })

  test(`how long and how many (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    server.clock.stop(Date.UTC(2027, 0, 1))

    await t.test('a session ends after 90 days, however often it was renewed', async () => {
      const began = server.clock.now()
      let tokens = await server.signIn('ada')
      for (let day = 20; day <= 80; day += 20) {
        server.clock.advance(20 * DAY)
        const renewed = await server.stranger.post('/token/refresh/', { refresh: tokens.refresh })
        assert.equal(renewed.status, 200)
        tokens = makeClient(() => server.app, renewed.json())
      }
      server.clock.advance(began + 90 * DAY - 60_000 - server.clock.now())
      const last = await server.stranger.post('/token/refresh/', { refresh: tokens.refresh })
      assert.equal(last.status, 200)
      tokens = makeClient(() => server.app, last.json())
      assert.equal(await isIn(tokens), true)
      const [session] = await server.deps.db.selectFrom('sessions').select('id').execute()
      const isHinted = async () => (await findViewers(server.deps, [session?.id ?? 0])).size === 1
      assert.equal(await isHinted(), true)
      server.clock.advance(61_000)
      assert.equal(await isIn(tokens), false)
      assert.equal(await isHinted(), false, 'nor is it told of anything')
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: tokens.refresh })).status, 401)
    })

    await t.test('the 21st sign-in ends the oldest session, and no other', async () => {
      const clients = []
      for (let at = 0; at < 20; at += 1) {
        clients.push(await server.signIn('bob'))
        server.clock.advance(1)
      }
      assert.equal(await isIn(clients[0] as TestClient), true)
      clients.push(await server.signIn('bob'))
      const stand = []
      for (const client of clients) stand.push(await isIn(client))
      assert.deepEqual(stand, [false, ...Array<boolean>(20).fill(true)])
    })

    await t.test('sessions that a clock which was ahead began end before the one that begins now', async () => {
      server.clock.advance(DAY)
      const ahead = []
      for (let at = 0; at < 20; at += 1) ahead.push(await server.signIn('cleo'))
      server.clock.advance(-DAY)
      const now = await server.signIn('cleo')
      assert.deepEqual([await isIn(ahead[0] as TestClient), await isIn(now)], [false, true])
    })

    await t.test('sign-ins at once leave no more than 20 sessions either', async () => {
      const { id } = await server.createUser({ username: 'eve' })
      for (let at = 0; at < 18; at += 1) await server.signIn('eve')
      await Promise.all(Array.from({ length: 6 }, () => server.signIn('eve')))
      assert.equal(await countSessions(server, id), 20)
    })
  })

  test(`the operator sets how long and how many (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { sessionDays: 1, maxSessions: 2 } })
    const first = await server.signIn('ada')
    server.clock.advance(1)
    const second = await server.signIn('ada')
    server.clock.advance(1)
    await server.signIn('ada')
    assert.deepEqual([await isIn(first), await isIn(second)], [false, true])
    // How many others have is none of hers.
    const other = await server.signIn('bob')
    for (const name of ['cleo', 'dora', 'bob']) await server.signIn(name)
    assert.equal(await isIn(other), true)
    server.clock.advance(DAY)
    assert.equal((await server.stranger.post('/token/refresh/', { refresh: second.refresh })).status, 401)
    await server.sweep()
    assert.equal((await server.deps.db.selectFrom('sessions').selectAll().execute()).length, 0)
  })
}
