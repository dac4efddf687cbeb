import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const WRONG = 'Wrong1!!'

async function logIn(server: TestServer, username: string, password: string, remoteAddress = '192.0.2.1') {
  const payload = { username, password }
  const answer = await server.inject({ method: 'POST', url: `${API_BASE}/auth/login/`, payload, remoteAddress })
  return answer.statusCode
}

const count = (statuses: number[], status: number) => statuses.filter((other) => other === status).length

for (const engine of ENGINES) {
  test(`9.26 20 right sign-ins of one person at once all succeed (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    await server.createUser({ username: 'ada' })
    const all = await Promise.all(Array.from({ length: 20 }, () => logIn(server, 'ada', TEST_PASSWORD)))
    assert.equal(count(all, 200), 20)
  })

  test(`9.26 among wrong passwords at once 10 are looked at, and then none (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    await server.createUser({ username: 'ada' })
    const all = await Promise.all(Array.from({ length: 60 }, () => logIn(server, 'ada', WRONG)))
    assert.deepEqual([count(all, 400), count(all, 429)], [10, 50])
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD), 429)
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '198.51.100.7'), 200)
  })

  test(`9.27 whoever has a whole IPv6 network gets ten times as many tries at an account as one address (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const statuses: number[] = []
    // Nobody's account: the limits are the same, and none is told.
    for (let n = 0; n < 40; n += 1)
      statuses.push(await logIn(server, 'nobody', WRONG, `2001:db8:1:${(n % 4).toString(16)}00::1`))
    assert.equal(count(statuses, 400), 30)
    assert.equal(count(statuses, 429), 10)
  })

  test(`9.28 wrong passwords from everywhere slow strangers down, not who has signed in from there before (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await server.createUser({ username: 'ada' })
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '192.0.2.1'), 200)
    const statuses = []
    for (let n = 0; n < 60; n += 1) statuses.push(await logIn(server, 'ada', WRONG, `198.51.${n}.1`))
    assert.ok(count(statuses, 400) >= 30 && count(statuses, 400) < 36, `${count(statuses, 400)} were looked at`)
    // The neighbourhood counts: addresses change.
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '192.0.2.77'), 200)
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '203.0.113.1'), 429)
    // Whoever reads the account's mail is no stranger.
    await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
    const token = findToken((await server.mails()).at(-1), 'reset-password')
    const payload = { token, new_password: 'Another1!' }
    const url = `${API_BASE}/password/reset/confirm/`
    assert.equal((await server.inject({ method: 'POST', url, payload, remoteAddress: '203.0.113.1' })).statusCode, 200)
    assert.equal(await logIn(server, 'ada', 'Another1!', '203.0.113.1'), 200)
    // The table tells nobody who comes from the same place.
    await server.createUser({ username: 'bob' })
    assert.equal(await logIn(server, 'bob', TEST_PASSWORD, '192.0.2.1'), 200)
    await server.sweep()
    const rows = await server.deps.db.selectFrom('known_networks').selectAll().execute()
    assert.deepEqual([rows.length, new Set(rows.map(({ mark }) => mark)).size], [3, 3])
    assert.ok(!JSON.stringify(rows).includes('192.0') && !JSON.stringify(rows).includes('203.0'))
    // Names that nobody has are slowed down each by itself, too: no answer tells which ones those are.
    for (let n = 0; n < 40; n += 1) assert.equal(await logIn(server, `nobody${n}`, WRONG, `198.51.${n}.1`), 400)
  })

  test(`9.28 the owner of an account is told once of 100 wrong passwords; nobody where there is no account (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await server.createUser({ username: 'ada' })
    // From a network that is known, so that nothing slows them down.
    for (let place = 1; place <= 12; place += 1) {
      if (place === 1) assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '192.0.2.99'), 200)
      for (let n = 0; n < 10; n += 1) assert.equal(await logIn(server, 'ada', WRONG, `192.0.2.${place}`), 400)
    }
    const told = (await server.mails()).filter(({ subject }) => subject === 'Many wrong passwords for Test Registry')
    assert.deepEqual(
      told.map(({ to }) => to?.[0]?.address),
      ['ada@example.org'],
    )
    assert.ok(!server.logLines.join('').includes('192.0.2.'))
  })

  test(`9.28 wrong passwords of whoever has got hold of a session count as those of signing in: strangers are slowed down, and the owner is told (${engine})`, async (t) => {
    for (const [call, field, right] of [
      ['/auth/confirm/', 'password', {}],
      ['/password/change/', 'old_password', { new_password: 'Another1!' }],
    ] as const) {
      const server = await startTestServer(t, engine)
      await server.createUser({ username: 'ada' })
      const { access } = await server.signIn('ada')
      const guess = async (password: string, remoteAddress: string) => {
        const headers = { authorization: `Bearer ${access}` }
        const payload = { [field]: password, ...right }
        const url = `${API_BASE}${call}`
        return (await server.inject({ method: 'POST', url, headers, payload, remoteAddress })).statusCode
      }
      const listTold = async () =>
        (await server.mails())
          .filter(({ subject }) => subject === 'Many wrong passwords for Test Registry')
          .map(({ to }) => to?.[0]?.address)

      const statuses = []
      for (let n = 0; n < 60; n += 1) statuses.push(await guess(WRONG, `198.51.${n}.1`))
      const looks = count(statuses, 400)
      assert.ok(looks >= 30 && looks < 36, `${call}: ${looks} were looked at`)
      assert.equal(await guess(TEST_PASSWORD, '203.0.113.1'), 429)
      // Those of signing in are among them.
      assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '203.0.113.1'), 429)

      // From the network that is known nothing slows them down.
      for (let n = looks; n < 99; n += 1) assert.equal(await guess(WRONG, `127.0.0.${100 + (n % 10)}`), 400)
      assert.deepEqual(await listTold(), [])
      for (let n = 0; n < 3; n += 1) assert.equal(await guess(WRONG, '127.0.0.90'), 400)
      assert.deepEqual(await listTold(), ['ada@example.org'])
      const failures = await server.deps.db
        .selectFrom('audit_entries')
        .select((on) => on.fn.countAll().as('count'))
        .where('action', '=', 'confirmation_failed')
        .executeTakeFirstOrThrow()
      assert.equal(Number(failures.count), 102)
      assert.equal(await guess(TEST_PASSWORD, '127.0.0.1'), 200)
    }
  })

  test(`9.34 whoever knows the password and not the second factor keeps nobody out by a loop of right passwords (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await server.createUser({ username: 'ada' })
    await enableTwoFactor(await server.signIn('ada'), server.clock)
    for (let n = 0; n < 60; n += 1) assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '198.51.100.7'), 200)
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '198.51.100.7'), 429)
    assert.equal(await logIn(server, 'ada', TEST_PASSWORD, '192.0.2.1'), 200)
  })

  test(`9.34 a loop of successes is bounded for each account, and delays nobody else (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    for (const username of ['ada', 'bob']) await server.createUser({ username })
    const statuses = []
    for (let n = 0; n < 62; n += 1) statuses.push(await logIn(server, 'ada', TEST_PASSWORD))
    assert.deepEqual([count(statuses, 200), count(statuses, 429)], [60, 2])
    assert.equal(await logIn(server, 'bob', TEST_PASSWORD), 200)
  })
}

test('a password that is changed while it is looked at signs nobody in', async (t) => {
  const server = await startTestServer(t)
  const { passwords, db } = server.deps
  await server.createUser({ username: 'ada' })
  const { matches } = passwords
  const password_hash = await passwords.hash('Another1!')
  passwords.matches = async (...given) => {
    const isRight = await matches(...given)
    await db.updateTable('users').set({ password_hash }).execute()
    return isRight
  }
  assert.equal(await logIn(server, 'ada', TEST_PASSWORD), 400)
  assert.deepEqual(await db.selectFrom('sessions').select('id').execute(), [])
  assert.equal(await logIn(server, 'ada', 'Another1!'), 200)
})

test('by whichever call a password is hashed, it waits in the turn of the client that sent it', async (t) => {
  const server = await startTestServer(t)
  const { passwords } = server.deps
  const askers: (string | undefined)[] = []
  const { hash, matches } = passwords
  passwords.hash = (password, askedBy) => {
    askers.push(askedBy)
    return hash(password, askedBy)
  }
  passwords.matches = (stored, password, askedBy) => {
    askers.push(askedBy)
    return matches(stored, password, askedBy)
  }
  const { access } = await server.signIn('ada')
  const mailToken = async () => {
    await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
    // The one that tells of the new password may come after it.
    const mail = (await server.mails()).findLast(({ text }) => text?.includes('/reset-password/'))
    return findToken(mail, 'reset-password')
  }
  const person = { email: 'bob@example.org', username: 'bob', first_name: 'B', last_name: 'B', phone_number: '1' }
  for (const [path, make, times] of [
    ['/auth/login/', async () => ({ username: 'ada', password: WRONG }), 1],
    ['/auth/login/', async () => ({ username: 'nobody', password: WRONG }), 1],
    ['/auth/register/', async () => ({ ...person, password: TEST_PASSWORD }), 1],
    ['/auth/confirm/', async () => ({ password: TEST_PASSWORD }), 1],
    ['/password/change/', async () => ({ old_password: TEST_PASSWORD, new_password: TEST_PASSWORD }), 2],
    ['/password/reset/confirm/', async () => ({ token: await mailToken(), new_password: TEST_PASSWORD }), 1],
  ] as const) {
    const payload = await make()
    askers.length = 0
    const headers = { authorization: `Bearer ${access}` }
    const url = `${API_BASE}${path}`
    await server.inject({ method: 'POST', url, payload, headers, remoteAddress: '2001:db8:1:2:3::4' })
    assert.deepEqual(askers, Array<string>(times).fill('2001:db8:1:2::/64'), path)
  }
})
