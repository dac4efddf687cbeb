import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { enableTwoFactor, wrongCodeOf } from '../../testing/two-factor.ts'

const MINUTE = 60_000
const STEP = 30_000

/** A server whose clock stands still in the middle of a time step. */
async function startAt(t: Parameters<typeof startTestServer>[0], engine: (typeof ENGINES)[number]) {
  const server = await startTestServer(t, engine)
  server.clock.stop(Date.UTC(2026, 10, 21, 12, 0, 10))
  return server
}

/** The client's address; each case has its own, so that the limits of one do not reach into another. */
let place = 1
const here = () => `10.0.0.${place}`

async function logIn(server: TestServer, username: string, remoteAddress = here()) {
  const answer = await server.inject({
    method: 'POST',
    url: `${API_BASE}/auth/login/`,
    payload: { username, password: TEST_PASSWORD },
    remoteAddress,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const cookie = String(answer.headers['set-cookie'])
  return { ...answer.json(), cookie: cookie.split(';', 1)[0], wholeCookie: cookie }
}

async function verify(server: TestServer, payload: object, from: { cookie?: string; remoteAddress?: string } = {}) {
  const answer = await server.inject({
    method: 'POST',
    url: `${API_BASE}/g2fa/gfa_verify/`,
    payload,
    headers: from.cookie ? { cookie: from.cookie } : {},
    remoteAddress: from.remoteAddress ?? here(),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() as Record<string, string> }
}

for (const engine of ENGINES) {
  test(`signing in with two-factor (${engine})`, async (t) => {
    const server = await startAt(t, engine)
    const ada = await server.signIn('ada')
    const app = await enableTwoFactor(ada, server.clock)
    const user_id = (await ada.get('/user/info')).json().id
    /** A later time at which no code was used yet. */
    const moveOn = () => {
      server.clock.advance(3 * STEP)
      place += 1
    }

    await t.test('the password alone gives no token, but a challenge in body and cookie', async () => {
      moveOn()
      const answer = await logIn(server, 'ada')
      assert.equal(answer.access, null)
      assert.equal(answer.refresh, null)
      assert.equal(answer.gfa_is_enabled, true)
      assert.equal(answer.user_id, user_id)
      assert.match(answer.challenge, /^[\w-]{43}$/)
      assert.equal(answer.cookie, `challenge=${answer.challenge}`)
      for (const word of ['HttpOnly', 'SameSite=Strict', `Path=${API_BASE}/g2fa`])
        assert.ok(answer.wholeCookie.includes(word), word)
    })

    await t.test('4.14 a code completes it, with the challenge of the body or of the cookie', async () => {
      moveOn()
      const { challenge } = await logIn(server, 'ada')
      const answer = await verify(server, { user_id, otp: app.code(), challenge })
      assert.equal(answer.status, 200)
      const info = await server.inject({
        url: `${API_BASE}/user/info`,
        headers: { authorization: `Bearer ${answer.body['access']}` },
      })
      assert.equal(info.json().username, 'ada')
      assert.match(String(answer.headers['set-cookie']), /^challenge=; .*Max-Age=0/)

      const { cookie } = await logIn(server, 'ada')
      assert.equal((await verify(server, { user_id, otp: app.code(1) }, { cookie })).status, 200)
    })

    await t.test('a user id and a code alone log nobody in', async () => {
      moveOn()
      const elsewhere = { remoteAddress: '203.0.113.9' }
      await logIn(server, 'ada')
      const answer = await verify(server, { user_id, otp: app.code() }, elsewhere)
      assert.equal(answer.status, 400)
      assert.equal(answer.body['code'], 'two_factor_challenge_ended')
      // The refused code is still good.
      const { challenge } = await logIn(server, 'ada')
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge })).status, 200)
    })

    await t.test('without a challenge, the address of a password step counts for five minutes', async () => {
      moveOn()
      await logIn(server, 'ada')
      server.clock.advance(5 * MINUTE)
      assert.equal((await verify(server, { user_id, otp: app.code() })).status, 400)
      await logIn(server, 'ada')
      server.clock.advance(5 * MINUTE - 1000)
      assert.equal((await verify(server, { user_id, otp: app.code() })).status, 200)
      // That step is used up with it.
      assert.equal((await verify(server, { user_id, otp: app.code(1) })).status, 400)
    })

    await t.test('a wrong challenge is refused, whatever the address', async () => {
      moveOn()
      const { challenge } = await logIn(server, 'ada')
      for (const wrong of ['x', 'A'.repeat(43), challenge.slice(0, -1)]) {
        assert.equal((await verify(server, { user_id, otp: app.code(), challenge: wrong })).status, 400)
        assert.equal((await verify(server, { user_id, otp: app.code() }, { cookie: `challenge=${wrong}` })).status, 400)
      }
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge })).status, 200)
    })

    await t.test('a challenge of somebody else is refused', async () => {
      moveOn()
      const eve = await server.signIn('eve')
      const eveApp = await enableTwoFactor(eve, server.clock)
      const { challenge, user_id: eveId } = await logIn(server, 'eve')
      const answer = await verify(server, { user_id, otp: app.code(), challenge }, { remoteAddress: '203.0.113.77' })
      assert.equal(answer.status, 400)
      // Nor does a recovery code of another account do.
      const [, , code] = app.recoveryCodes
      assert.equal(
        (await verify(server, { user_id: eveId, otp: code, challenge })).body['code'],
        'two_factor_code_wrong',
      )
      assert.equal((await verify(server, { user_id, otp: eveApp.code(1), challenge })).status, 400)
    })

    await t.test('a challenge ends after ten minutes', async () => {
      moveOn()
      const { challenge } = await logIn(server, 'ada')
      server.clock.advance(10 * MINUTE)
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge })).status, 400)
    })

    await t.test('five wrong codes end it, also when they come at once', async () => {
      moveOn()
      const { challenge } = await logIn(server, 'ada')
      const otp = wrongCodeOf(app.secret, server.clock.now())
      const wrong = await Promise.all(Array.from({ length: 8 }, () => verify(server, { user_id, otp, challenge })))
      assert.equal(wrong.filter((answer) => answer.body['code'] === 'two_factor_code_wrong').length, 4)
      assert.equal(wrong.filter((answer) => answer.body['code'] === 'two_factor_challenge_ended').length, 4)
      assert.ok(wrong.every((answer) => answer.status === 400))
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge })).status, 400)
      // Nothing was lost: signing in again and the very same code work.
      const again = await logIn(server, 'ada')
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge: again.challenge })).status, 200)
    })

    await t.test('a code is good once, in the window of one step to either side', async () => {
      moveOn()
      const attempt = async (otp: string) => {
        const { challenge } = await logIn(server, 'ada')
        return (await verify(server, { user_id, otp, challenge })).status
      }
      for (const stepsAway of [-1, 0, 1]) assert.equal(await attempt(app.code(stepsAway)), 200)
      for (const stepsAway of [-2, -1, 0, 1, 2]) assert.equal(await attempt(app.code(stepsAway)), 400)
    })

    await t.test('a code that was used stays used when old ones are swept, and a step that waits goes on', async () => {
      moveOn()
      const attempt = async (otp: string) => {
        const { challenge } = await logIn(server, 'ada')
        return (await verify(server, { user_id, otp, challenge })).status
      }
      for (const stepsAway of [-1, 0]) assert.equal(await attempt(app.code(stepsAway)), 200)
      const { challenge } = await logIn(server, 'ada')
      await server.sweep()
      for (const stepsAway of [-1, 0]) assert.equal(await attempt(app.code(stepsAway)), 400)
      assert.equal((await verify(server, { user_id, otp: app.code(1), challenge })).status, 200)
    })

    await t.test('of two requests with the same code at once one wins', async () => {
      moveOn()
      const same = (await logIn(server, 'ada')).challenge
      const sameChallenge = [1, 2].map(() => verify(server, { user_id, otp: app.code(), challenge: same }))
      assert.deepEqual(
        (await Promise.all(sameChallenge)).map((answer) => answer.status).toSorted((a, b) => a - b),
        [200, 400],
      )
      moveOn()
      const challenges = [(await logIn(server, 'ada')).challenge, (await logIn(server, 'ada')).challenge]
      const each = challenges.map((challenge) => verify(server, { user_id, otp: app.code(), challenge }))
      assert.deepEqual(
        (await Promise.all(each)).map((answer) => answer.status).toSorted((a, b) => a - b),
        [200, 400],
      )
    })

    await t.test('a recovery code does wherever a code does, once, however it is written', async () => {
      moveOn()
      const [first = '', second = ''] = app.recoveryCodes
      const attempt = async (otp: string) => {
        const { challenge } = await logIn(server, 'ada')
        return (await verify(server, { user_id, otp, challenge })).status
      }
      assert.equal(await attempt(first.toLowerCase().replaceAll('-', ' ')), 200)
      assert.equal(await attempt(first), 400)
      const races = [(await logIn(server, 'ada')).challenge, (await logIn(server, 'ada')).challenge]
      const both = races.map((challenge) => verify(server, { user_id, otp: second, challenge }))
      assert.deepEqual(
        (await Promise.all(both)).map((answer) => answer.status).toSorted((a, b) => a - b),
        [200, 400],
      )
    })

    await t.test('a code cannot follow when the person is out or the password changed meanwhile', async () => {
      moveOn()
      const { challenge } = await logIn(server, 'ada')
      const { db } = server.deps
      await db.updateTable('users').set({ is_active: 0 }).where('id', '=', user_id).execute()
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge })).status, 400)
      await db.updateTable('users').set({ is_active: 1 }).where('id', '=', user_id).execute()
      const passwords = { old_password: TEST_PASSWORD, new_password: 'Another1!' }
      assert.equal((await ada.post('/password/change/', passwords)).status, 401)
      const fresh = await verify(server, { user_id, otp: app.code(), challenge })
      const authorization = `Bearer ${fresh.body['access']}`
      const waiting = (await logIn(server, 'ada')).challenge
      const change = await server.inject({
        method: 'POST',
        url: `${API_BASE}/password/change/`,
        payload: passwords,
        headers: { authorization },
      })
      assert.equal(change.statusCode, 200, change.body)
      moveOn()
      assert.equal((await verify(server, { user_id, otp: app.code(), challenge: waiting })).status, 400)
    })
  })

  test(`codes are limited to 10 failures per account and address in 15 minutes (${engine})`, async (t) => {
    const server = await startAt(t, engine)
    const ada = await server.signIn('ada')
    await enableTwoFactor(ada, server.clock)
    const user_id = (await ada.get('/user/info')).json().id
    for (let tries = 0; tries < 10; tries += 1)
      assert.equal((await verify(server, { user_id, otp: '000000', challenge: 'none' })).status, 400)
    const refused = await verify(server, { user_id, otp: '000000', challenge: 'none' })
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    const elsewhere = await verify(
      server,
      { user_id, otp: '000000', challenge: 'none' },
      { remoteAddress: '192.0.2.1' },
    )
    assert.equal(elsewhere.status, 400)
  })
}

test('hostile codes are refused without a fault', async (t) => {
  const server = await startTestServer(t)
  const bodies: unknown[] = [
    {},
    { user_id: 1 },
    { user_id: '1', otp: '123456' },
    { user_id: 2 ** 53, otp: '123456' },
    { user_id: 1, otp: 123456 },
    { user_id: 1, otp: '' },
    { user_id: 1, otp: '\u0000' },
    { user_id: 1, otp: '\ud800' },
    { user_id: 1, otp: '９'.repeat(6) },
    { user_id: 1, otp: '1'.repeat(5000) },
    { user_id: 1, otp: ["' or 1=1 --"] },
    { user_id: 1, otp: '123456', challenge: 5 },
    { user_id: 1, otp: '123456', challenge: 'x'.repeat(500) },
  ]
  for (const body of bodies) {
    const answer = await server.stranger.post('/g2fa/gfa_verify/', body)
    assert.ok([400, 429].includes(answer.status), `${answer.status} for ${JSON.stringify(body)}`)
  }
})

test('the challenge cookie is sent over https only where the product is reached by https', async (t) => {
  const server = await startTestServer(t, 'sqlite', { config: { publicUrl: 'https://proof.example' } })
  await enableTwoFactor(await server.signIn('ada'), server.clock)
  assert.match((await logIn(server, 'ada')).wholeCookie, /; Secure$/)
})

test('no secret, code, challenge or address reaches the log', async (t) => {
  const server = await startTestServer(t)
  const app = await enableTwoFactor(await server.signIn('ada'), server.clock)
  const { challenge, user_id } = await logIn(server, 'ada')
  const otp = app.code(1)
  await verify(server, { user_id, otp, challenge })
  const log = server.logLines.join('')
  for (const word of [app.secret, challenge, otp, '127.0.0.1', 'ada@', ...app.recoveryCodes])
    assert.ok(!log.includes(word), word)
})
