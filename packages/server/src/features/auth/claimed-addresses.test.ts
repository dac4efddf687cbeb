import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { API_BASE } from '@proofdesk/contract/route'
import { recordEvent } from '../../events/record-events.ts'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { accountEvents } from '../account/events.ts'
import { markEmailVerified } from '../users/queries.ts'

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

/** Two who claim one address that stands with neither of them: a third claimed it as well, and has moved on. */
async function claimTogether(server: TestServer, round: number) {
  const email = `claimed${round}@example.org`
  const ids: number[] = []
  for (const name of ['first', 'second', 'third']) {
    const { id } = await server.createUser({ username: `${name}${round}`, email, verified: false })
    ids.push(id)
  }
  const third = await server.signIn(`third${round}`)
  assert.equal((await third.patch('/profile/update_profile/', { email: `moved${round}@example.org` })).status, 200)
  const [first = 0, second = 0] = ids
  return { email, first, second }
}

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
    const resent = await squatter.post('/profile/resend_verification_email/')
    assert.deepEqual([resent.status, resent.json().code], [403, 'email_taken'])
    assert.equal((await server.mails()).length, before)
    assert.equal((await squatter.get('/user/info')).json().is_email_verified, false)
    // A mail that waited all the while is not sent any more: no link of it could prove the address.
    const { id } = (await squatter.get('/user/info')).json()
    await recordEvent(server.deps, accountEvents.verification_mail_asked(id))
    assert.equal((await server.mails()).length, before)
    // Nor by hand: one address, one account that it is proved for.
    const root = await server.signIn('root', { is_superuser: true })
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
    assert.equal(resets.length, 5)
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

  test(`a link that is used while another account proves the address is refused, without a fault (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { email, first, second } = await claimTogether(server, 1)
    const before = (await server.mails()).length
    await recordEvent(server.deps, accountEvents.verification_mail_asked(second))
    const [mail] = (await server.mails()).slice(before)
    const { promise: proved, resolve: prove } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const proving = server.deps.db.transaction().execute(async (transaction) => {
      await markEmailVerified(transaction, { id: first, email, now: server.clock.now() })
      prove()
      await begun
    })
    await proved
    const late = verify(server, findToken(mail, 'verify-email'))
    // Time enough to do it all, if it did not wait for the other.
    await Promise.race([late, setTimeout(500)])
    begin()
    await proving
    assert.equal((await late).json().code, 'link_invalid')
  })

  test(`of two that prove one address at once by a reset and by hand one has it, and no call fails (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const root = await server.signIn('root', { is_superuser: true })
    for (let round = 0; round < 6; round += 1) {
      const { email, first, second } = await claimTogether(server, round)
      await server.stranger.post('/password/reset/', { email })
      const tokens = (await server.mails())
        .filter(({ to, text }) => to?.[0]?.address === email && text?.includes('/reset-password/'))
        .map((mail) => findToken(mail, 'reset-password'))
      assert.equal(tokens.length, 3)
      const byReset = tokens.map((token) =>
        server.stranger.post('/password/reset/confirm/', { token, new_password: 'Another1!' }),
      )
      const byHand = [first, second].map((id) => root.patch(`/admin/users/${id}/`, { is_email_verified: true }))
      for (const { status, body } of await Promise.all(byReset)) assert.equal(status, 200, body)
      for (const { status, body } of await Promise.all(byHand)) assert.ok([200, 403].includes(status), body)
      const holders = await server.deps.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .where('is_email_verified', '=', 1)
        .execute()
      assert.equal(holders.length, 1)
    }
  })

  test(`9.41 verification mails to one address: 10 an hour of one asker, 20 of all together, whatever account they are for (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const registerFrom = async (username: string, remoteAddress: string, email = ADDRESS) => {
      const payload = { email, username, first_name: 'A', last_name: 'B', password: TEST_PASSWORD, phone_number: '1' }
      return server.inject({ method: 'POST', url: `${API_BASE}/auth/register/`, payload, remoteAddress })
    }
    const toTarget = async () => (await server.mails()).filter(({ to }) => to?.[0]?.address === ADDRESS).length
    const eve = await server.signIn('eve', { verified: false })
    // What is refused mails nobody.
    for (let n = 0; n < 12; n += 1) assert.equal((await registerFrom('eve', '192.0.2.1')).statusCode, 400)
    for (let n = 0; n < 10; n += 1) assert.equal((await registerFrom(`a${n}`, '192.0.2.1')).statusCode, 201)
    const more = await registerFrom('more', '192.0.2.1', ADDRESS.toUpperCase())
    assert.equal(more.statusCode, 429)
    assert.ok(Number(more.headers['retry-after']) > 0)
    assert.equal((await registerFrom('elsewhere', '192.0.2.1', 'other@example.org')).statusCode, 201)
    assert.equal(await toTarget(), 10)
    for (let n = 0; n < 8; n += 1) assert.equal((await registerFrom(`b${n}`, '192.0.2.2')).statusCode, 201)
    // By changing an address and asking once more, too.
    assert.equal((await eve.patch('/profile/update_profile/', { email: ADDRESS })).status, 200)
    assert.equal((await eve.post('/profile/resend_verification_email/')).status, 200)
    assert.equal(await toTarget(), 20)
    await t.test('and then a network has two of its own, of 20 for all networks together', async () => {
      assert.equal((await registerFrom('owner', '198.51.100.7')).statusCode, 201)
      assert.equal((await registerFrom('owner2', '198.51.100.8')).statusCode, 201)
      assert.equal((await registerFrom('owner3', '198.51.100.9')).statusCode, 429)
      // A provider of whole IPv6 networks is one of them.
      const networks = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1']
      const statuses = []
      for (const [n, from] of networks.entries()) statuses.push((await registerFrom(`n${n}`, from)).statusCode)
      assert.deepEqual(statuses, [201, 201, 429])
      assert.equal((await eve.post('/profile/resend_verification_email/')).status, 200)
      const mallory = await server.signIn('mallory')
      assert.equal((await mallory.patch('/profile/update_profile/', { email: ADDRESS })).status, 200)
      assert.equal((await eve.post('/profile/resend_verification_email/')).status, 429)
      for (let n = 0; n < 40; n += 1) await registerFrom(`many${n}`, `203.0.${n}.1`)
      assert.equal(await toTarget(), 40)
    })
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
