import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'

const ADDRESS = 'owner@example.org'

const register = (server: TestServer, username: string, email = ADDRESS) =>
  server.stranger.post('/auth/register/', {
    email,
    username,
    first_name: 'Test',
    last_name: 'Person',
    password: TEST_PASSWORD,
    phone_number: '+1 202 555 0100',
  })

const verify = (server: TestServer, token: string) => server.stranger.post('/auth/verify-email/', { token })

async function lastToken(server: TestServer): Promise<string> {
  return findToken((await server.mails()).at(-1), 'verify-email')
}

for (const engine of ENGINES) {
  test(`9.32 an account that only claims an address does not keep its owner from registering (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    assert.equal((await register(server, 'squatter')).status, 201)
    const squatterToken = await lastToken(server)
    assert.equal((await register(server, 'owner', 'OWNER@example.org')).status, 201)
    const token = await lastToken(server)
    assert.equal((await verify(server, token)).json().username, 'owner')
    // From now on nobody else gets it, by whichever way.
    assert.equal((await verify(server, squatterToken)).json().code, 'link_invalid')
    assert.deepEqual((await register(server, 'third')).json().email, ['A user with that email already exists.'])
    const squatter = await server.signIn('squatter')
    const before = (await server.mails()).length
    await squatter.post('/profile/resend_verification_email/')
    assert.equal((await server.mails()).length, before)
    assert.equal((await squatter.get('/user/info')).json().is_email_verified, false)
    // Nor by hand: one address, one account that it is proved for.
    const root = await server.signIn('root', { is_superuser: true })
    const { id } = (await squatter.get('/user/info')).json()
    assert.equal((await root.patch(`/admin/users/${id}/`, { is_email_verified: true })).status, 403)
  })

  test(`however many accounts only claim an address, the reset goes to the one that has proved it (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    for (const n of [1, 2, 3, 4, 5]) assert.equal((await register(server, `squatter${n}`)).status, 201)
    // What is sent at once may come in any order.
    const others = await server.mails()
    assert.equal((await register(server, 'owner')).status, 201)
    const [mail] = (await server.mails()).slice(others.length)
    assert.equal((await verify(server, findToken(mail, 'verify-email'))).json().username, 'owner')
    await server.stranger.post('/password/reset/', { email: ADDRESS })
    const resets = (await server.mails()).filter(({ text }) => text?.includes('/reset-password/'))
    assert.ok(resets.some(({ text }) => text?.includes('owner')))
  })

  test(`whoever proves an address first has it, whoever claimed it last (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await register(server, 'owner')
    const token = await lastToken(server)
    assert.equal((await register(server, 'squatter')).status, 201)
    assert.equal((await verify(server, token)).status, 200)
    const owner = await server.signIn('owner')
    assert.equal((await owner.get('/user/info')).json().is_email_verified, true)
    // And the reset goes to the owner.
    await server.stranger.post('/password/reset/', { email: ADDRESS })
    assert.ok(
      (await server.mails()).some(({ subject, text }) => /password/i.test(subject ?? '') && text?.includes('owner')),
    )
  })

  test(`9.32 an address that is only claimed in a profile is free for its owner’s profile (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const squatter = await server.signIn('squatter')
    const owner = await server.signIn('owner', { email: 'old@example.org' })
    assert.equal((await squatter.patch('/profile/update_profile/', { email: ADDRESS })).status, 200)
    assert.equal((await owner.patch('/profile/update_profile/', { email: ADDRESS })).status, 200)
    await server.mails()
    const tokens = (await server.mails())
      .filter((mail) => mail.to?.[0]?.address === ADDRESS)
      .map((mail) => ({ text: mail.text ?? '', token: findToken(mail, 'verify-email') }))
    const own = tokens.find(({ text }) => /\bowner\b/.test(text.replaceAll(ADDRESS, '')))
    assert.equal((await verify(server, own?.token ?? '')).json().username, 'owner')
    assert.equal((await owner.get('/user/info')).json().is_email_verified, true)
    const other = tokens.find((mail) => mail !== own)
    assert.equal((await verify(server, other?.token ?? '')).json().code, 'link_invalid')
  })

  test(`of two that prove one address at once one has it (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await register(server, 'first')
    const first = await lastToken(server)
    await register(server, 'second')
    const second = await lastToken(server)
    const answers = await Promise.all([verify(server, first), verify(server, second)])
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 400])
    const verified = await server.deps.db.selectFrom('users').select('id').where('is_email_verified', '=', 1).execute()
    assert.equal(verified.length, 1)
  })

  test(`of several that register with one address at once each has an account (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const answers = await Promise.all(['a1', 'b2', 'c3'].map((username) => register(server, username)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    )
  })

  test(`9.38 people who swap claimed addresses at the same instant never block one another (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const statuses = new Set<number>()
    for (let group = 0; group < 8; group += 1) {
      // Two, and three in a ring.
      const names = ['a', 'b', 'c'].slice(0, 2 + (group % 2)).map((name) => `${name}${group}`)
      const people = await Promise.all(names.map((name) => server.signIn(name, { verified: false })))
      // As many changes as one person has in an hour.
      for (let round = 1; round <= 5; round += 1) {
        const changes = people.map((person, index) => {
          const email = `${names[(index + round) % names.length]}@example.org`
          return person.patch('/profile/update_profile/', { email, first_name: `Round ${round}` })
        })
        for (const { status, body } of await Promise.all(changes)) {
          assert.ok(status < 500, `${status} ${body}`)
          statuses.add(status)
        }
      }
    }
    assert.deepEqual(
      server.logLines.filter((line) => line.includes('deadlock') || line.includes('40P01')),
      [],
    )
    assert.ok(statuses.has(200))
    t.diagnostic(`answers: ${[...statuses].join()}`)
  })

  test(`9.32 asking in the profile which addresses are taken is limited (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    for (let n = 0; n < 8; n += 1) await server.createUser({ username: `u${n}` })
    const eve = await server.signIn('eve')
    const statuses = []
    for (let n = 0; n < 8; n += 1)
      statuses.push((await eve.patch('/profile/update_profile/', { email: `u${n}@example.org` })).status)
    assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429, 429, 429])
  })
}
