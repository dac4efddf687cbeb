import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestClient, type TestServer } from '../../testing.ts'
import { CODE_TOLD } from '../two-factor/limits.ts'
import { codeOf, enableTwoFactor, wrongCodeOf } from '../../testing/two-factor.ts'

const MINUTE = 60_000
const CONFIRM = '/auth/confirm/'
const UPDATE = '/profile/update_profile/'
const STATUS = '/g2fa/gfa_status/'
const CODES = '/g2fa/recovery_codes/'

/** The same session 16 minutes later: its tokens are renewed, its sign-in is too old. */
async function growOld(server: TestServer, person: TestClient): Promise<TestClient> {
  server.clock.advance(8 * MINUTE)
  const tokens = (await server.stranger.post('/token/refresh/', { refresh: person.refresh })).json()
  server.clock.advance(8 * MINUTE)
  const { access, refresh } = (await server.stranger.post('/token/refresh/', { refresh: tokens.refresh })).json()
  return server.as({ access, refresh })
}

async function subjectsTo(server: TestServer, address: string): Promise<string[]> {
  const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === address)
  return mails.map((mail) => mail.subject ?? '')
}

for (const engine of ENGINES) {
  test(`sensitive changes need a sign-in of this session at most 15 minutes old (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })
    server.clock.stop(Date.UTC(2026, 10, 21, 12, 0, 10))

    await t.test('an access token alone changes no e-mail, and nothing beside it', async () => {
      const ada = await growOld(server, await server.signIn('ada'))
      const answer = await ada.patch(UPDATE, { email: 'mallory@example.org', first_name: 'Mallory' })
      assert.equal(answer.status, 403)
      assert.equal(answer.json().code, 'confirm_identity')
      const profile = (await ada.get('/profile/info/')).json()
      assert.deepEqual([profile.email, profile.first_name], ['ada@example.org', 'Test'])
      assert.deepEqual(await subjectsTo(server, 'mallory@example.org'), [])
      // What is not sensitive goes on, also with the present address beside it.
      assert.equal((await ada.patch(UPDATE, { email: 'ada@example.org', first_name: 'Ada' })).status, 200)
    })

    await t.test(
      'an access token alone switches two-factor neither on nor off, and makes no recovery codes',
      async () => {
        const bea = await server.signIn('bea')
        const app = await enableTwoFactor(bea, server.clock)
        const later = await growOld(server, bea)
        const { secret } = (await later.get('/g2fa/gfa_qrcode/')).json()
        const otp = codeOf(secret, server.clock.now())
        const refused = [
          await later.patch(STATUS, { gfa_is_enabled: false }),
          await later.patch(STATUS, { gfa_is_enabled: true, otp }),
          await later.post(CODES),
        ]
        for (const answer of refused) assert.deepEqual([answer.status, answer.json().code], [403, 'confirm_identity'])
        assert.equal((await later.get('/profile/info/')).json().gfa_is_enabled, true)
        const confirmed = await later.post(CONFIRM, { password: TEST_PASSWORD, otp: app.code() })
        assert.equal(confirmed.status, 200, confirmed.body)
        // The refusals cost nothing: the same code still does.
        assert.equal((await later.patch(STATUS, { gfa_is_enabled: true, otp })).status, 200)
      },
    )

    await t.test('the password confirms this session, for 15 minutes, and no other one', async () => {
      const cleo = await growOld(server, await server.signIn('cleo'))
      const other = await server.signIn('cleo')
      const later = await growOld(server, other)
      const again = await server.stranger.post('/token/refresh/', { refresh: cleo.refresh })
      const first = server.as(again.json())
      assert.deepEqual((await first.post(CONFIRM, { password: TEST_PASSWORD })).json(), {
        detail: 'Thank you. It is you.',
      })
      assert.equal((await first.patch(UPDATE, { email: 'cleo2@example.org' })).status, 200)
      // That change ended the other session.
      assert.equal((await later.get('/user/info')).status, 401)
      const third = await growOld(server, first)
      assert.equal((await third.patch(UPDATE, { email: 'cleo3@example.org' })).json().code, 'confirm_identity')
    })

    await t.test('a wrong password, none at all and a stranger confirm nothing', async () => {
      const dora = await growOld(server, await server.signIn('dora'))
      const wrong = await dora.post(CONFIRM, { password: 'Wrong1!' })
      assert.deepEqual([wrong.status, wrong.json().code], [400, 'password_wrong'])
      assert.equal((await dora.post(CONFIRM, {})).status, 400)
      assert.equal((await server.stranger.post(CONFIRM, { password: TEST_PASSWORD })).status, 401)
      assert.equal((await dora.patch(UPDATE, { email: 'd@example.org' })).json().code, 'confirm_identity')
    })

    await t.test('with two-factor on the password is not enough, and a code is good once', async () => {
      const emma = await server.signIn('emma')
      const app = await enableTwoFactor(emma, server.clock)
      const later = await growOld(server, emma)
      assert.deepEqual((await later.get(CONFIRM)).json(), { has_password: true, gfa_is_enabled: true, providers: [] })
      const alone = await later.post(CONFIRM, { password: TEST_PASSWORD })
      assert.deepEqual([alone.status, alone.json().code], [400, 'two_factor_code_missing'])
      const otp = wrongCodeOf(app.secret, server.clock.now())
      assert.equal((await later.post(CONFIRM, { password: TEST_PASSWORD, otp })).json().code, 'two_factor_code_wrong')
      assert.equal((await later.post(CONFIRM, { otp: app.code() })).status, 400)
      assert.equal((await later.post(CODES)).json().code, 'confirm_identity')
      const both = await Promise.all(
        [1, 2].map(() => later.post(CONFIRM, { password: TEST_PASSWORD, otp: app.code() })),
      )
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 400],
      )
      const recovery = app.recoveryCodes[0]
      assert.equal((await later.post(CONFIRM, { password: TEST_PASSWORD, otp: recovery })).status, 200)
    })

    await t.test(
      'a code is looked at after what stands for a password, and wrong ones are told to the owner',
      async () => {
        const gail = await server.signIn('gail')
        const app = await enableTwoFactor(gail, server.clock)
        const otp = wrongCodeOf(app.secret, server.clock.now())
        const word = { provider_code: 'x'.repeat(43) }
        assert.equal((await gail.post(CONFIRM, word)).json().code, 'two_factor_code_missing')
        for (const shown of [otp, app.code(1)].map((code) => ({ provider_code: 'x'.repeat(43), otp: code })))
          assert.equal((await gail.post(CONFIRM, shown)).json().code, 'provider_login_failed')
        const { id } = (await gail.get('/user/info')).json()
        for (let wrong = 1; wrong < 20; wrong += 1) await server.deps.limits.tally({ limit: CODE_TOLD, key: id })
        const before = (await subjectsTo(server, 'gail@example.org')).length
        assert.equal((await gail.post(CONFIRM, { password: TEST_PASSWORD, otp })).json().code, 'two_factor_code_wrong')
        assert.equal((await subjectsTo(server, 'gail@example.org')).length, before + 1)
      },
    )

    await t.test('new recovery codes take the place of the old ones, and are told by mail', async () => {
      const fay = await server.signIn('fay')
      assert.equal((await fay.post(CODES)).json().code, 'two_factor_not_on')
      const app = await enableTwoFactor(fay, server.clock)
      const answer = await fay.post(CODES)
      assert.equal(answer.status, 200)
      const codes: string[] = answer.json().recovery_codes
      assert.equal(new Set([...codes, ...app.recoveryCodes]).size, 20)
      const confirm = (otp: string | undefined) => fay.post(CONFIRM, { password: TEST_PASSWORD, otp })
      assert.equal((await confirm(app.recoveryCodes[0])).json().code, 'two_factor_code_wrong')
      assert.equal((await confirm(codes[0])).status, 200)
      assert.match((await subjectsTo(server, 'fay@example.org')).join('\n'), /recovery codes/)
    })

    await t.test('two-factor on, replaced and off ends all other sessions and is told by mail', async () => {
      const gina = await server.signIn('gina')
      const before = await server.signIn('gina')
      await enableTwoFactor(gina, server.clock)
      assert.equal((await before.get('/user/info')).status, 401)
      assert.equal((await gina.get('/user/info')).status, 200)
      // A mail under way when the clock jumps would be taken for one that got stuck, and sent again.
      await server.settle()
      server.clock.advance(MINUTE)
      await enableTwoFactor(gina, server.clock)
      assert.equal((await gina.patch(STATUS, { gfa_is_enabled: false })).status, 200)
      const subjects = await subjectsTo(server, 'gina@example.org')
      assert.equal(subjects.length, 3)
      // Mails of one moment may overtake each other.
      for (const told of [/switched on/, /another app/, /switched off/]) assert.match(subjects.join('\n'), told)
    })

    await t.test('a session that ended meanwhile changes nothing', async () => {
      const hana = await server.signIn('hana')
      const { db } = server.deps
      const both = await Promise.all([
        hana.patch(UPDATE, { email: 'hana2@example.org' }),
        hana.post('/auth/logout/', {}),
      ])
      const row = await db.selectFrom('users').select('email').where('username', '=', 'hana').executeTakeFirstOrThrow()
      assert.equal(row.email, both[0].status === 200 ? 'hana2@example.org' : 'hana@example.org')
      assert.ok([200, 401].includes(both[0].status), both[0].body)
    })

    await t.test('guesses are limited like those of signing in', async () => {
      await server.createUser({ username: 'iris' })
      const iris = await server.signIn('iris')
      for (let tries = 0; tries < 10; tries += 1)
        assert.equal((await iris.post(CONFIRM, { password: `Wrong${tries}!` })).status, 400)
      const limited = await iris.post(CONFIRM, { password: TEST_PASSWORD })
      assert.equal(limited.status, 429)
      assert.ok(Number(limited.headers['retry-after']) > 0)
      const login = await server.stranger.post('/auth/login/', { username: 'iris', password: TEST_PASSWORD })
      assert.equal(login.status, 429)
    })
  })
}
