import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { claimFact } from '../../db/instance.ts'
import type { UserRow } from '../../db/schema.ts'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD } from '../../testing.ts'
import { makeSetupToken } from './service.ts'

const HOUR = 60 * 60_000

const grace = {
  email: 'grace@example.org',
  first_name: 'Grace',
  last_name: 'Hopper',
  username: 'grace',
  password: TEST_PASSWORD,
  phone_number: '+1 202 555 0100',
  birthdate: '1906-12-09',
}

for (const engine of ENGINES) {
  test(`registration (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    const register = (changes: object) => server.stranger.post('/auth/register/', { ...grace, ...changes })

    await t.test('makes an ordinary, unverified account that may sign in', async () => {
      const answer = await register({})
      assert.equal(answer.status, 201)
      const { id, ...info } = answer.json()
      assert.ok(id >= 1)
      assert.deepEqual(info, {
        email: 'grace@example.org',
        username: 'grace',
        is_staff: false,
        is_admin: false,
        is_superuser: false,
        is_active: true,
        is_email_verified: false,
        mail_refusal: null,
      })
      assert.equal((await (await server.signIn('grace')).get('/user/info')).status, 200)
    })

    await t.test('never gives a role, whatever is sent', async () => {
      const answer = await register({ username: 'eve', email: 'eve@example.org', is_superuser: true, role: 'staff' })
      assert.equal(answer.status, 201)
      assert.equal(answer.json().is_superuser, false)
    })

    await t.test('refuses a name or a verified address that somebody has, whatever its case', async () => {
      await server.deps.db.updateTable('users').set({ is_email_verified: 1 }).where('username', '=', 'grace').execute()
      const name = await register({ username: 'ＧRACE', email: 'other@example.org' })
      assert.equal(name.status, 400)
      assert.deepEqual(name.json(), {
        code: 'invalid',
        detail: 'A user with that username already exists.',
        username: ['A user with that username already exists.'],
      })
      const address = await register({ username: 'other', email: 'Grace@EXAMPLE.org' })
      assert.deepEqual(address.json().email, ['A user with that email already exists.'])
      await register({ username: 'straße', email: 's1@example.org' })
      assert.equal((await register({ username: 'STRASSE', email: 's2@example.org' })).status, 400)
    })

    await t.test('of two at once for one name, one wins and the other reads the same message', async () => {
      const answers = await Promise.all([
        register({ username: 'twin', email: 'twin1@example.org' }),
        register({ username: 'TWIN', email: 'twin2@example.org' }),
      ])
      assert.deepEqual(
        answers.map((answer) => answer.status).sort((a, b) => a - b),
        [201, 400],
      )
      const loser = answers.find((answer) => answer.status === 400)
      assert.deepEqual(loser?.json().username, ['A user with that username already exists.'])
    })

    await t.test('names every faulty field, and what is missing', async () => {
      const answer = await server.stranger.post('/auth/register/', { username: 'a b', password: 'short' })
      assert.equal(answer.status, 400)
      const body = answer.json()
      assert.deepEqual(body.username, ['Usernames may hold letters, digits and @ . + - _ only.'])
      assert.deepEqual(body.password, [
        'Password must be at least 6 characters and include an uppercase letter, a digit, and a special character (!@#$%^&*).',
      ])
      for (const field of ['email', 'first_name', 'last_name', 'phone_number'])
        assert.deepEqual(body[field], ['This field is required.'], field)
    })

    await t.test('3.5 takes a birthdate that is null, missing or blank for none, and refuses one to come', async () => {
      for (const [index, birthdate] of [null, '', undefined].entries()) {
        const answer = await register({ username: `b${index}`, email: `b${index}@example.org`, birthdate })
        assert.equal(answer.status, 201)
      }
      const answer = await register({ username: 'b9', email: 'b9@example.org', birthdate: '2999-01-01' })
      assert.deepEqual(answer.json().birthdate, ['Enter a valid date.'])
      // What else is wrong is told with it.
      const taken = await register({ username: 'b0', email: 'b9@example.org', birthdate: '2999-01-01' })
      assert.deepEqual(Object.keys(taken.json()).sort(), ['birthdate', 'code', 'detail', 'username'])
    })

    await t.test('stores no password, only argon2id', async () => {
      const rows = await server.deps.db.selectFrom('users').select('password_hash').execute()
      for (const { password_hash } of rows) assert.match(password_hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    })

    await t.test('is limited to 100 an hour and address', async () => {
      let last
      for (let i = 0; i < 101; i++) last = await register({ username: 'grace' })
      assert.equal(last?.status, 429)
      assert.ok(Number(last?.headers['retry-after']) > 0)
    })
  })

  test(`signing in (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    await server.createUser({ username: 'Ada', is_staff: true })
    await server.createUser({ username: 'gone', is_active: false })
    const signIn = (username: string, password: string) => server.stranger.post('/auth/login/', { username, password })

    await t.test('7.4 answers tokens, the second factor, the id and the user info', async () => {
      const answer = await signIn('ada', TEST_PASSWORD)
      assert.equal(answer.status, 200)
      const { access, refresh, ...rest } = answer.json()
      assert.match(access, /^[\w-]{43}$/)
      assert.match(refresh, /^[\w-]{43}$/)
      assert.notEqual(access, refresh)
      assert.equal(rest.gfa_is_enabled, false)
      assert.equal(rest.user_id, rest.id)
      assert.equal(rest.username, 'Ada')
      assert.equal(rest.is_staff, true)
      assert.equal(answer.headers['cache-control'], 'no-store')
    })

    await t.test('a wrong name, a wrong password and a deactivated account answer alike', async () => {
      const answers = [
        await signIn('nobody', TEST_PASSWORD),
        await signIn('ada', 'Wrong1!!'),
        await signIn('gone', TEST_PASSWORD),
      ]
      for (const answer of answers) {
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.json(), { code: 'wrong_credentials', detail: 'Invalid Username and Password' })
      }
    })

    await t.test('10 failures close an account to that address for 15 minutes, also when sent at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => signIn('target', 'Wrong1!!')))
      assert.equal(answers.filter((answer) => answer.status === 400).length, 10)
      assert.equal(answers.filter((answer) => answer.status === 429).length, 10)
      assert.equal((await signIn('TARGET', 'Wrong1!!')).status, 429)
      assert.equal((await signIn('ada', TEST_PASSWORD)).status, 200)
    })

    await t.test('success is never counted', async () => {
      for (let i = 0; i < 15; i++) assert.equal((await signIn('ada', TEST_PASSWORD)).status, 200)
    })
  })

  test(`verifying an address (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    await server.stranger.post('/auth/register/', grace)
    const client = await server.signIn('grace')
    const verify = (token: string) => server.stranger.post('/auth/verify-email/', { token })

    await t.test('the mail goes to the address, from ours, with a link to the page', async () => {
      const mails = await server.mails()
      assert.equal(mails.length, 1)
      const [mail] = mails
      assert.equal(mail?.to?.[0]?.address, 'grace@example.org')
      assert.equal(mail?.from?.name, 'Test Registry')
      assert.equal(mail?.subject, 'Verify your e-mail address for Test Registry')
      const link = `${server.config.publicUrl}/verify-email/${findToken(mail, 'verify-email')}`
      assert.ok(mail?.html?.includes(`href="${link}"`))
    })

    await t.test('a new mail makes earlier links worthless', async () => {
      const old = findToken((await server.mails()).at(-1), 'verify-email')
      const answer = await client.post('/profile/resend_verification_email/')
      assert.equal(answer.status, 200)
      assert.equal((await verify(old)).json().code, 'link_invalid')
      assert.equal((await server.mails()).length, 2)
      assert.equal((await verify(old)).json().code, 'link_invalid')
    })

    await t.test('a link dies after 24 hours', async () => {
      const token = findToken((await server.mails()).at(-1), 'verify-email')
      server.clock.advance(24 * HOUR + 1000)
      assert.equal((await verify(token)).json().code, 'link_invalid')
    })

    await t.test(
      'a link verifies once, also by two requests at once; the other is told that the address is verified',
      async () => {
        const again = await server.signIn('grace')
        await again.post('/profile/resend_verification_email/')
        const token = findToken((await server.mails()).at(-1), 'verify-email')
        const answers = await Promise.all([verify(token), verify(token)])
        const [first, second] = answers
          .toSorted((a, b) => a.status - b.status)
          .map(({ status, json }) => [status, json()])
        assert.deepEqual(first, [200, { detail: 'Your e-mail address is verified.', username: 'grace' }])
        const refusal = { code: 'email_already_verified', detail: 'This e-mail address is already verified.' }
        assert.deepEqual(second, [409, refusal])
        const recorded = await server.deps.db
          .selectFrom('audit_entries')
          .select('id')
          .where('action', '=', 'email_verified')
          .execute()
        assert.equal(recorded.length, 1)
        assert.equal((await again.get('/user/info')).json().is_email_verified, true)
        assert.equal((await again.post('/profile/resend_verification_email/')).status, 409)

        const setGrace = (values: Partial<Pick<UserRow, 'is_active' | 'email' | 'is_email_verified'>>) =>
          server.deps.db.updateTable('users').set(values).where('username', '=', 'grace').execute()
        for (const [otherwise, before] of [
          [{ is_active: 0 }, { is_active: 1 }],
          [{ email: 'other@example.org' }, { email: 'grace@example.org' }],
          [{ is_email_verified: 0 }, { is_email_verified: 1 }],
        ] as const) {
          await setGrace(otherwise)
          assert.equal((await verify(token)).json().code, 'link_invalid', JSON.stringify(otherwise))
          await setGrace(before)
          assert.equal((await verify(token)).json().code, 'email_already_verified')
        }
        server.clock.advance(30 * 24 * HOUR + 1000)
        assert.equal((await verify(token)).json().code, 'link_invalid')
      },
    )

    await t.test('a link proves the address it was sent to, and no later one', async () => {
      const bob = await server.signIn('bob', { verified: false })
      await bob.post('/profile/resend_verification_email/')
      const token = findToken((await server.mails()).at(-1), 'verify-email')
      await server.deps.db
        .updateTable('users')
        .set({ email: 'new@example.org' })
        .where('username', '=', 'bob')
        .execute()
      assert.equal((await verify(token)).status, 400)
      assert.equal((await bob.get('/user/info')).json().is_email_verified, false)
    })

    await t.test('what is no token is refused alike', async () => {
      for (const token of ['x', 'A'.repeat(43), '../..', '%00'])
        assert.equal((await verify(token)).json().code, 'link_invalid', token)
    })

    await t.test('no mail more than 5 times an hour', async () => {
      const eve = await server.signIn('eve', { verified: false })
      const statuses = []
      for (let i = 0; i < 6; i++) statuses.push((await eve.post('/profile/resend_verification_email/')).status)
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
    })
  })

  test(`setting up (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    const setUp = (token: string, username = 'root') =>
      server.stranger.post('/auth/setup/', {
        token,
        username,
        email: `${username}@example.org`,
        password: TEST_PASSWORD,
      })

    await t.test('a wrong token makes nobody, and learns of no name', async () => {
      await server.createUser({ username: 'ada' })
      assert.deepEqual((await setUp('A'.repeat(43), 'ada')).json().code, 'setup_closed')
    })

    await t.test('21.4 of links that several nodes print any is good, and none once one was used', async () => {
      const [first, second] = [await makeSetupToken(server.deps), await makeSetupToken(server.deps)]
      const answers = await Promise.all([setUp(first ?? '', 'one'), setUp(second ?? '', 'two')])
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 400],
      )
      assert.deepEqual(
        await server.deps.db.selectFrom('link_tokens').select('kind').where('kind', '=', 'setup').execute(),
        [],
      )
      await server.deps.db.deleteFrom('users').where('username', 'in', ['one', 'two']).execute()
      await server.deps.db.deleteFrom('instance').where('name', '=', 'first_superuser').execute()
      assert.equal((await setUp(first ?? '')).json().code, 'setup_closed')
    })

    await t.test('21.4 a link that is used while another node makes the first superuser comes too late', async () => {
      const token = (await makeSetupToken(server.deps)) ?? ''
      const { promise: claimed, resolve: claim } = Promise.withResolvers<void>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const making = server.deps.db.transaction().execute(async (transaction) => {
        await claimFact(transaction, 'first_superuser', 'made')
        claim()
        await begun
      })
      await claimed
      const late = setUp(token, 'late')
      // Time enough to do it all, if it did not wait for the other.
      await Promise.race([late, setTimeout(500)])
      begin()
      await making
      assert.equal((await late).json().code, 'setup_closed')
      await server.deps.db.deleteFrom('instance').where('name', '=', 'first_superuser').execute()
    })

    await t.test('a link can be looked at before the form is filled in, which uses nothing up', async () => {
      const check = (link: string) => server.stranger.post('/auth/setup/check/', { token: link })
      const token = (await makeSetupToken(server.deps)) ?? ''
      for (let look = 0; look < 3; look += 1) assert.equal((await check(token)).status, 204)
      assert.equal((await check('A'.repeat(43))).json().code, 'setup_closed')
      assert.equal((await setUp(token, 'rootless')).status, 201)
      assert.equal((await check(token)).json().code, 'setup_closed')
      await server.deps.db.deleteFrom('users').where('username', '=', 'rootless').execute()
      await server.deps.db.deleteFrom('instance').where('name', '=', 'first_superuser').execute()
    })

    await t.test('a taken name is told, and the link stays good', async () => {
      const token = (await makeSetupToken(server.deps)) ?? ''
      assert.deepEqual((await setUp(token, 'ADA')).json().username, ['A user with that username already exists.'])
      assert.equal((await setUp(token, 'root0')).status, 201)
      await server.deps.db.deleteFrom('users').where('username', '=', 'root0').execute()
      await server.deps.db.deleteFrom('instance').where('name', '=', 'first_superuser').execute()
    })

    await t.test('of two at once one makes the first superuser, and the link is closed ever after', async () => {
      const token = (await makeSetupToken(server.deps)) ?? ''
      const answers = await Promise.all([setUp(token, 'root1'), setUp(token, 'root2')])
      assert.deepEqual(
        answers.map((answer) => answer.status).sort((a, b) => a - b),
        [201, 400],
      )
      const winner = answers.find((answer) => answer.status === 201)?.json()
      assert.equal(winner.is_superuser, true)
      assert.equal(winner.is_email_verified, true)
      assert.equal((await setUp(token, 'root3')).json().code, 'setup_closed')
      assert.equal(await makeSetupToken(server.deps), undefined)
      const superusers = await server.deps.db.selectFrom('users').select('id').where('is_superuser', '=', 1).execute()
      assert.equal(superusers.length, 1)
    })
  })
}

test('strangers learn the name and the limits of the installation', async (t) => {
  const server = await startTestServer(t, 'sqlite', { maxUploadMb: 7 })
  assert.deepEqual((await server.stranger.get('/instance')).json(), {
    organisation: 'Test Registry',
    max_upload_mb: 7,
    is_test_instance: true,
    providers: [],
  })
})

test('a forwarded address counts only when it comes from a proxy that is trusted', async (t) => {
  for (const trustProxy of [[], ['127.0.0.0/8']]) {
    const server = await startTestServer(t, 'sqlite', { config: { trustProxy } })
    const fail = (address: string) =>
      server.stranger.post('/auth/login/', { username: 'target', password: 'Wrong1!!' }, { 'x-forwarded-for': address })
    for (let i = 0; i < 10; i++) assert.equal((await fail('198.51.100.1')).status, 400)
    assert.equal((await fail('198.51.100.1')).status, 429)
    assert.equal((await fail('198.51.100.2')).status, trustProxy.length > 0 ? 400 : 429)
    // Some proxies write the port, too.
    for (const entry of ['198.51.100.3:4711', '198.51.100.3:4712'])
      assert.equal((await fail(entry)).status, trustProxy.length > 0 ? 400 : 429)
    for (let i = 0; i < 8; i++) await fail(`198.51.100.3:${5000 + i}`)
    assert.equal((await fail('198.51.100.3')).status, 429)
    assert.equal((await fail('[2001:db8::1]:4711')).status, trustProxy.length > 0 ? 400 : 429)
    // What the caller itself put in front of the proxy's entry is not believed.
    assert.equal((await fail('203.0.113.9, 198.51.100.1')).status, 429)
  }
})
