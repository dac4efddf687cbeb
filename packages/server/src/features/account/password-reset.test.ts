import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const MINUTE = 60_000
const NEW_PASSWORD = 'Another1!'

const ask = (server: TestServer, email: string) => server.stranger.post('/password/reset/', { email })
const confirm = (server: TestServer, token: string, new_password = NEW_PASSWORD) =>
  server.stranger.post('/password/reset/confirm/', { token, new_password })
const logIn = async (server: TestServer, username: string, password: string) =>
  (await server.stranger.post('/auth/login/', { username, password })).status

async function resetMails(server: TestServer) {
  return (await server.mails()).filter((mail) => /Set a new password/.test(mail.subject ?? ''))
}

/** Asks for a link and reads it from the newest mail. */
async function getToken(server: TestServer, email: string): Promise<string> {
  await ask(server, email)
  const mails = (await resetMails(server)).filter((mail) => mail.to?.[0]?.address === email)
  return findToken(mails.at(-1), 'reset-password')
}

for (const engine of ENGINES) {
  test(`resetting the password (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    const { db } = server.deps

    await t.test('answers the same and does the same work whether or not there is such an account', async () => {
      await server.createUser({ username: 'ada' })
      const known = await ask(server, 'ada@example.org')
      const unknown = await ask(server, 'nobody@example.org')
      assert.equal(known.status, 200)
      assert.equal(unknown.status, 200)
      assert.equal(known.body, unknown.body)
      assert.equal(typeof known.json().message, 'string')
      const to = (await resetMails(server)).map((mail) => mail.to?.[0]?.address)
      assert.deepEqual(to, ['ada@example.org'])
    })

    await t.test('writes as many rows for an address nobody has', async () => {
      await server.createUser({ username: 'abby' })
      const countRows = async (email: string) => {
        const mark = { kind: 'test', payload: '{}', attempts: 0, due_at: server.clock.now() + MINUTE, created_at: 1 }
        const insert = () => db.insertInto('outbox').values(mark).returning('id').executeTakeFirstOrThrow()
        const before = await insert()
        await ask(server, email)
        return (await insert()).id - before.id - 1
      }
      assert.equal(await countRows('abby@example.org'), 1)
      assert.equal(await countRows('nobody-either@example.org'), 1)
    })

    await t.test('a link proves and sets only what it was made for', async () => {
      await server.createUser({ username: 'alma', verified: false })
      const reset = await getToken(server, 'alma@example.org')
      const login = await server.stranger.post('/auth/login/', { username: 'alma', password: TEST_PASSWORD })
      const authorization = `Bearer ${login.json().access}`
      await server.stranger.post('/profile/resend_verification_email/', {}, { authorization })
      const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === 'alma@example.org')
      const verification = findToken(
        mails.findLast((mail) => /Verify/.test(mail.subject ?? '')),
        'verify-email',
      )
      assert.equal((await server.stranger.post('/auth/verify-email/', { token: reset })).status, 400)
      assert.equal((await server.stranger.post('/password/reset/check/', { token: verification })).status, 400)
      assert.equal((await confirm(server, verification)).status, 400)
      assert.equal((await confirm(server, reset)).status, 200)
    })

    await t.test('asking for a link to a new password leaves the one that proves the address good', async () => {
      const ann = await server.signIn('ann', { verified: false })
      await ann.post('/profile/resend_verification_email/')
      const mail = (await server.mails()).find(({ to }) => to?.[0]?.address === 'ann@example.org')
      const proof = findToken(mail, 'verify-email')
      await getToken(server, 'ann@example.org')
      assert.equal((await server.stranger.post('/auth/verify-email/', { token: proof })).status, 200)
    })

    await t.test('a link can be looked at before the form is filled in, which uses nothing up', async () => {
      const check = (token: string) => server.stranger.post('/password/reset/check/', { token })
      await server.createUser({ username: 'chloe' })
      const token = await getToken(server, 'chloe@example.org')
      for (const wrong of ['A'.repeat(43), 'short', `${token}x`]) {
        const refused = await check(wrong)
        assert.equal(refused.status, 400)
        assert.equal(refused.json().code, 'link_invalid')
      }
      for (let look = 0; look < 3; look += 1) assert.equal((await check(token)).status, 204)
      assert.equal((await confirm(server, token)).status, 200)
      assert.equal((await check(token)).status, 400)
      const late = await getToken(server, 'chloe@example.org')
      server.clock.advance(60 * MINUTE + 1)
      assert.equal((await check(late)).status, 400)
    })

    await t.test('sets the new password by the mailed link, once, and ends all sessions', async () => {
      const bea = await server.signIn('bea')
      const token = await getToken(server, 'bea@example.org')
      const answer = await confirm(server, token)
      assert.equal(answer.status, 200)
      assert.equal(answer.json().username, 'bea')
      assert.equal((await bea.get('/user/info')).status, 401)
      assert.equal(await logIn(server, 'bea', TEST_PASSWORD), 400)
      assert.equal(await logIn(server, 'bea', NEW_PASSWORD), 200)
      const again = await confirm(server, token, 'Third111!')
      assert.equal(again.status, 400)
      assert.equal(again.json().code, 'link_invalid')
      assert.equal(again.json().error, again.json().detail)
      assert.equal(await logIn(server, 'bea', NEW_PASSWORD), 200)
    })

    await t.test('works for one hour, and a weak password does not use the link up', async () => {
      await server.createUser({ username: 'cleo' })
      const token = await getToken(server, 'cleo@example.org')
      assert.ok(Array.isArray((await confirm(server, token, 'weak')).json().new_password))
      server.clock.advance(60 * MINUTE)
      assert.equal((await confirm(server, token)).status, 400)
      const fresh = await getToken(server, 'cleo@example.org')
      server.clock.advance(60 * MINUTE - 1000)
      assert.equal((await confirm(server, fresh)).status, 200)
    })

    await t.test('is won by one of two that use the link at once', async () => {
      await server.createUser({ username: 'dora' })
      const token = await getToken(server, 'dora@example.org')
      const both = await Promise.all([confirm(server, token, 'First11!'), confirm(server, token, 'Second1!')])
      assert.deepEqual(
        both.map((answer) => answer.status).toSorted((a, b) => a - b),
        [200, 400],
      )
    })

    await t.test('a newer link ends an older one', async () => {
      await server.createUser({ username: 'emma' })
      const older = await getToken(server, 'emma@example.org')
      await new Promise((resolve) => setTimeout(resolve, 5))
      const newer = await getToken(server, 'emma@example.org')
      assert.equal((await confirm(server, older)).status, 400)
      assert.equal((await confirm(server, newer)).status, 200)
    })

    await t.test('proves the address the link went to', async () => {
      await server.createUser({ username: 'fay', verified: false })
      const token = await getToken(server, 'fay@example.org')
      assert.equal((await confirm(server, token)).status, 200)
      const login = await server.stranger.post('/auth/login/', { username: 'fay', password: NEW_PASSWORD })
      assert.equal(login.json().is_email_verified, true)
    })

    await t.test('goes to the last verified address only, whichever is typed, and proves no other', async () => {
      const gina = await server.signIn('gina')
      await gina.patch('/profile/update_profile/', { email: 'thief@example.org' })
      const verification = (await server.mails()).findLast((mail) => mail.to?.[0]?.address === 'thief@example.org')
      const thiefLink = findToken(verification, 'verify-email')
      const before = (await resetMails(server)).length
      for (const typed of ['thief@example.org', 'GINA@example.org']) await ask(server, typed)
      const sent = (await resetMails(server)).slice(before)
      assert.deepEqual(
        sent.map((mail) => mail.to?.[0]?.address),
        ['gina@example.org', 'gina@example.org'],
      )
      const token = await getToken(server, 'gina@example.org')
      assert.equal((await confirm(server, token)).status, 200)
      // Whoever put the other address there cannot take the account over with its open link.
      assert.equal((await server.stranger.post('/auth/verify-email/', { token: thiefLink })).status, 400)
      const login = await server.stranger.post('/auth/login/', { username: 'gina', password: NEW_PASSWORD })
      assert.equal(login.json().is_email_verified, false)
      const row = await db.selectFrom('users').select('recovery_email').where('username', '=', 'gina').execute()
      assert.equal(row[0]?.recovery_email, 'gina@example.org')
    })

    await t.test('takes back a verification mail that still waits for the other address', async () => {
      const hana = await server.signIn('hana')
      const token = await getToken(server, 'hana@example.org')
      await hana.patch('/profile/update_profile/', { email: 'slow@example.org' })
      await server.settle()
      const { id } = (await hana.get('/user/info')).json()
      const due_at = server.clock.now() + 60 * MINUTE
      const payload = JSON.stringify({ user_id: id })
      const waiting = { kind: 'verification_mail', payload, attempts: 3, due_at, created_at: 1 }
      await db.insertInto('outbox').values(waiting).execute()
      assert.equal((await confirm(server, token)).status, 200)
      const left = await db.selectFrom('outbox').select('kind').where('payload', '=', payload).execute()
      assert.deepEqual(left, [])
    })

    await t.test('a never-verified account is reset by its first address only', async () => {
      const iris = await server.signIn('iris', { verified: false })
      await iris.patch('/profile/update_profile/', { email: 'second@example.org' })
      const before = (await resetMails(server)).length
      await ask(server, 'second@example.org')
      const sent = (await resetMails(server)).slice(before)
      assert.deepEqual(
        sent.map((mail) => mail.to?.[0]?.address),
        ['iris@example.org'],
      )
    })

    await t.test('a link stops working once the account proved another address', async () => {
      const jane = await server.signIn('jane')
      const token = await getToken(server, 'jane@example.org')
      await jane.patch('/profile/update_profile/', { email: 'moved@example.org' })
      const mail = (await server.mails()).findLast((one) => one.to?.[0]?.address === 'moved@example.org')
      const proof = findToken(mail, 'verify-email')
      assert.equal((await server.stranger.post('/auth/verify-email/', { token: proof })).status, 200)
      assert.equal((await confirm(server, token)).status, 400)
    })

    await t.test('mails nothing to deactivated people, and their link sets nothing', async () => {
      await server.createUser({ username: 'kate' })
      const token = await getToken(server, 'kate@example.org')
      const before = (await resetMails(server)).length
      await db.updateTable('users').set({ is_active: 0 }).where('username', '=', 'kate').execute()
      await ask(server, 'kate@example.org')
      assert.equal((await resetMails(server)).length, before)
      assert.equal((await confirm(server, token)).status, 400)
    })

    await t.test('deactivated people who only claimed the address take nobody’s place', async () => {
      const email = 'claimed@example.org'
      for (const n of [1, 2, 3, 4, 5])
        await server.createUser({ username: `squatter${n}`, email, verified: false, is_active: false })
      await server.createUser({ username: 'mina', email, verified: false })
      await ask(server, email)
      const [mail] = (await resetMails(server)).filter(({ to }) => to?.[0]?.address === email)
      assert.match(mail?.text ?? '', /\bmina\b/)
    })

    await t.test('leaves two-factor on and signs nobody in', async () => {
      const lena = await server.signIn('lena')
      await enableTwoFactor(lena, server.clock)
      const answer = await confirm(server, await getToken(server, 'lena@example.org'))
      assert.deepEqual(Object.keys(answer.json()).sort(), ['message', 'username'])
      const login = await server.stranger.post('/auth/login/', { username: 'lena', password: NEW_PASSWORD })
      assert.equal(login.json().access, null)
    })

    await t.test('stores no token, and mails neither token nor address to the log', async () => {
      await server.createUser({ username: 'mona' })
      const token = await getToken(server, 'mona@example.org')
      const stored = JSON.stringify([
        await db.selectFrom('link_tokens').selectAll().execute(),
        await db.selectFrom('outbox').selectAll().execute(),
      ])
      assert.ok(!stored.includes(token))
      assert.ok(!server.logLines.join('').includes(token))
      assert.ok(!server.logLines.join('').includes('mona@'))
    })

    await t.test('9.31 five requests of a stranger leave the owner theirs', async () => {
      await server.createUser({ username: 'olga' })
      const askFrom = async (remoteAddress: string) => {
        const payload = { email: 'olga@example.org' }
        const answer = await server.inject({
          method: 'POST',
          url: `${API_BASE}/password/reset/`,
          payload,
          remoteAddress,
        })
        return answer.statusCode
      }
      for (let n = 0; n < 5; n += 1) assert.equal(await askFrom('198.51.100.66'), 200)
      assert.equal(await askFrom('198.51.100.66'), 429)
      assert.equal(await askFrom('192.0.2.1'), 200)
      // Nor is anybody flooded with mails from many places.
      let sent = 6
      for (let n = 0; n < 30; n += 1) if ((await askFrom(`203.0.113.${n}`)) === 200) sent += 1
      assert.equal(sent, 22, 'and two to their network, as to any')
      assert.equal(await askFrom('192.0.3.1'), 200)
      // Where the owner has signed in from before, the link is always to be had.
      const payload = { username: 'olga', password: TEST_PASSWORD }
      await server.inject({ method: 'POST', url: `${API_BASE}/auth/login/`, payload, remoteAddress: '192.0.9.1' })
      assert.equal(await askFrom('192.0.9.2'), 200)
    })

    await t.test('is limited to 5 mails an hour per target, known or not', async () => {
      await server.createUser({ username: 'nora' })
      for (const target of ['nora@example.org', 'no-such@example.org']) {
        for (let tries = 0; tries < 5; tries += 1) assert.equal((await ask(server, target)).status, 200)
        const refused = await ask(server, target.toUpperCase())
        assert.equal(refused.status, 429)
        assert.equal(refused.json().error, refused.json().detail)
      }
    })

    await t.test('hostile input is refused without a fault', async () => {
      for (const email of ['', 'x', 'a@b,c@d', 'a@b\r\nBcc: c@d', '\u0000@b', 'x'.repeat(300), 5, null, ['a@b']])
        assert.equal((await server.stranger.post('/password/reset/', { email })).status, 400, JSON.stringify(email))
      for (const token of ['', 'x', 'A'.repeat(43), '../../etc', '\u0000', 5, null])
        assert.equal(
          (await server.stranger.post('/password/reset/confirm/', { token, new_password: NEW_PASSWORD })).status,
          400,
        )
    })
  })
}
