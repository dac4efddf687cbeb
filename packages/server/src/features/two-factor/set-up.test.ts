import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, TEST_PASSWORD } from '../../testing.ts'
import { codeOf, enableTwoFactor, wrongCodeOf } from '../../testing/two-factor.ts'

const MINUTE = 60_000
const QR = '/g2fa/gfa_qrcode/'
const STATUS = '/g2fa/gfa_status/'

for (const engine of ENGINES) {
  test(`setting two-factor up (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    server.clock.stop(Date.UTC(2026, 10, 21, 12, 0, 10))
    const { db } = server.deps
    const code = (secret: string, stepsAway = 0) => codeOf(secret, server.clock.now(), stepsAway)

    await t.test('7.15 the image, its address and the secret for typing in say the same', async () => {
      const ada = await server.signIn('ada')
      const setup = (await ada.get(QR)).json()
      assert.match(setup.secret, /^[A-Z2-7]{32}$/)
      const url = new URL(setup.otpauth_url)
      assert.equal(url.protocol, 'otpauth:')
      assert.equal(decodeURIComponent(url.pathname), '/Test Registry:ada')
      assert.equal(url.searchParams.get('secret'), setup.secret)
      assert.equal(url.searchParams.get('issuer'), 'Test Registry')
      assert.match(setup.qr_code, /^data:image\/svg\+xml;base64,/)
      assert.match(Buffer.from(setup.qr_code.split(',')[1], 'base64').toString(), /^<svg [^>]*viewBox/)
    })

    await t.test('reloading shows the same pending secret, another session and a later time another one', async () => {
      const first = await server.signIn('bea')
      const second = await server.signIn('bea')
      const shown = (await first.get(QR)).json().secret
      assert.equal((await first.get(QR)).json().secret, shown)
      assert.notEqual((await second.get(QR)).json().secret, shown)
      const mine = (await first.get(QR)).json().secret
      assert.notEqual(mine, shown)
      server.clock.advance(15 * MINUTE)
      const renewed = server.as((await server.stranger.post('/token/refresh/', { refresh: first.refresh })).json())
      assert.notEqual((await renewed.get(QR)).json().secret, mine)
    })

    await t.test('nothing is on before a code of the secret came back', async () => {
      const cleo = await server.signIn('cleo')
      const { secret } = (await cleo.get(QR)).json()
      const wrong = await cleo.patch(STATUS, { gfa_is_enabled: true, otp: wrongCodeOf(secret, server.clock.now()) })
      assert.equal(wrong.status, 400)
      assert.equal(wrong.json().detail, 'Invalid OTP. Please try again.')
      for (const otp of [undefined, '', '12345', '1234567', 'abcdef']) {
        const answer = await cleo.patch(STATUS, { gfa_is_enabled: true, otp })
        assert.equal(answer.status, 400)
        assert.ok(Array.isArray(answer.json().otp))
      }
      assert.equal((await cleo.patch(STATUS, { otp: '' })).json().otp[0], 'Please enter a valid 6-digit OTP')
      assert.equal((await cleo.get('/profile/info/')).json().gfa_is_enabled, false)
      assert.equal((await server.signIn('cleo')).access?.length, 43)
    })

    await t.test('a code without a secret asked for, or of another session’s secret, is refused', async () => {
      const dora = await server.signIn('dora')
      assert.equal((await dora.patch(STATUS, { otp: '123456' })).json().code, 'two_factor_not_begun')
      const { secret } = (await dora.get(QR)).json()
      const other = await server.signIn('dora')
      assert.equal((await other.patch(STATUS, { otp: code(secret) })).json().code, 'two_factor_not_begun')
    })

    await t.test('a secret that was shown takes its first code within an hour', async () => {
      for (const [minutes, status] of [
        [60, 400],
        [59, 200],
      ] as const) {
        const nell = await server.signIn('nell')
        const { secret } = (await nell.get(QR)).json()
        server.clock.advance(minutes * MINUTE)
        // What is good still is not swept, and what is not any more is refused before it is.
        if (status === 200) await server.sweep()
        const renewed = server.as((await server.stranger.post('/token/refresh/', { refresh: nell.refresh })).json())
        assert.equal((await renewed.post('/auth/confirm/', { password: TEST_PASSWORD })).status, 200)
        const answer = await renewed.patch(STATUS, { otp: code(secret) })
        assert.equal(answer.status, status, answer.body)
        if (status === 400) assert.equal(answer.json().code, 'two_factor_not_begun')
      }
    })

    await t.test('enabling gives ten recovery codes, stored as hashes only, and uses its code up', async () => {
      const emma = await server.signIn('emma')
      const { secret } = (await emma.get(QR)).json()
      // gfa_is_enabled true is the default of the call.
      const answer = await emma.patch(STATUS, { otp: ` ${code(secret).replace(/^.../, '$& ')}` })
      assert.equal(answer.status, 200)
      const { recovery_codes: codes, detail } = answer.json()
      assert.equal(detail, 'Two-Factor Authentication has been enabled')
      assert.equal(new Set(codes).size, 10)
      for (const one of codes) assert.match(one, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
      const stored = JSON.stringify([
        await db.selectFrom('recovery_codes').selectAll().execute(),
        await db.selectFrom('authenticators').selectAll().execute(),
      ])
      for (const word of [secret, ...codes, ...codes.map((one: string) => one.replaceAll('-', ''))])
        assert.ok(!stored.includes(word))
      assert.equal((await emma.get('/profile/info/')).json().gfa_is_enabled, true)
      const login = (await server.stranger.post('/auth/login/', { username: 'emma', password: TEST_PASSWORD })).json()
      const verify = (otp: string) =>
        server.stranger.post('/g2fa/gfa_verify/', { user_id: login.user_id, otp, challenge: login.challenge })
      assert.equal((await verify(code(secret))).status, 400)
      assert.equal((await verify(code(secret, 1))).status, 200)
    })

    await t.test('a secret in force is never shown, and stays in force until another is confirmed', async () => {
      const fay = await server.signIn('fay')
      const app = await enableTwoFactor(fay, server.clock)
      const again = (await fay.get(QR)).json()
      assert.notEqual(again.secret, app.secret)
      assert.ok(!again.otpauth_url.includes(app.secret))
      const login = async (otp: string) => {
        const { user_id, challenge } = (
          await server.stranger.post('/auth/login/', { username: 'fay', password: TEST_PASSWORD })
        ).json()
        return (await server.stranger.post('/g2fa/gfa_verify/', { user_id, otp, challenge })).status
      }
      assert.equal(await login(code(again.secret, 1)), 400)
      assert.equal(await login(app.code(1)), 200)
      const waiting = (await server.stranger.post('/auth/login/', { username: 'fay', password: TEST_PASSWORD })).json()
      const replaced = await fay.patch(STATUS, { otp: code(again.secret) })
      assert.equal(replaced.status, 200)
      const late = { user_id: waiting.user_id, challenge: waiting.challenge, otp: code(again.secret, 1) }
      assert.equal((await server.stranger.post('/g2fa/gfa_verify/', late)).json().code, 'two_factor_challenge_ended')
      assert.equal(await login(app.code(-1)), 400)
      assert.equal(await login(app.recoveryCodes[0] ?? ''), 400)
      assert.equal(await login(code(again.secret, 1)), 200)
      const told = (await server.mails()).filter((mail) => mail.to?.[0]?.address === 'fay@example.org')
      assert.deepEqual(told.map(({ subject }) => subject ?? '').toSorted(), [
        'Two-factor sign-in for Test Registry now uses another app',
        'Two-factor sign-in for Test Registry was switched on',
      ])
    })

    await t.test('codes that strangers guess at the sign-in keep nobody from setting another app up', async () => {
      const lou = await server.signIn('lou')
      await enableTwoFactor(lou, server.clock)
      const { id: user_id } = (await lou.get('/user/info')).json()
      const guess = () => server.stranger.post('/g2fa/gfa_verify/', { user_id, otp: '000000', challenge: 'none' })
      for (let tries = 0; tries < 10; tries += 1) assert.equal((await guess()).status, 400)
      assert.equal((await guess()).status, 429)
      const { secret } = (await lou.get(QR)).json()
      assert.equal((await lou.patch(STATUS, { otp: code(secret) })).status, 200)
    })

    await t.test('whoever has to confirm first uses no try up by that', async () => {
      const max = await server.signIn('max')
      const { secret } = (await max.get(QR)).json()
      await db.updateTable('sessions').set({ confirmed_at: 1 }).execute()
      for (let tries = 0; tries < 11; tries += 1) {
        const answer = await max.patch(STATUS, { otp: code(secret) })
        assert.deepEqual([answer.status, answer.json().code], [403, 'confirm_identity'])
      }
      assert.equal((await max.post('/auth/confirm/', { password: TEST_PASSWORD })).status, 200)
      assert.equal((await max.patch(STATUS, { otp: code(secret) })).status, 200)
    })

    await t.test('of two confirmations at once one wins', async () => {
      const gina = await server.signIn('gina')
      const { secret } = (await gina.get(QR)).json()
      const both = await Promise.all([1, 2].map(() => gina.patch(STATUS, { otp: code(secret) })))
      assert.deepEqual(
        both.map((answer) => answer.status).toSorted((a, b) => a - b),
        [200, 400],
      )
      const codes = await db.selectFrom('recovery_codes').select('hash').execute()
      assert.equal(codes.length % 10, 0)
    })

    await t.test('4.17 disabling forgets secret and recovery codes and is told by mail', async () => {
      const hana = await server.signIn('hana')
      const app = await enableTwoFactor(hana, server.clock)
      const answer = await hana.patch(STATUS, { gfa_is_enabled: false })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json(), { detail: '2FA disabled successfully', gfa_is_enabled: false })
      assert.equal((await hana.patch(STATUS, { gfa_is_enabled: false })).status, 200)
      assert.ok((await server.signIn('hana')).access)
      const told = (await server.mails()).filter((mail) => /switched off/.test(mail.subject ?? ''))
      assert.deepEqual(
        told.map((mail) => mail.to?.[0]?.address),
        ['hana@example.org'],
      )
      assert.ok(!told[0]?.text?.includes(app.secret))
      const { id } = (await hana.get('/user/info')).json()
      for (const table of ['authenticators', 'recovery_codes', 'used_codes', 'pending_authenticators'] as const)
        assert.deepEqual(await db.selectFrom(table).selectAll().where('user_id', '=', id).execute(), [])
    })

    await t.test('switching it on, and off, ends all other sessions', async () => {
      const [here, before] = [await server.signIn('pia'), await server.signIn('pia')]
      const app = await enableTwoFactor(here, server.clock)
      assert.equal((await before.get('/user/info')).status, 401)
      const login = (await server.stranger.post('/auth/login/', { username: 'pia', password: TEST_PASSWORD })).json()
      const entry = { user_id: login.user_id, otp: app.code(1), challenge: login.challenge }
      const since = server.as((await server.stranger.post('/g2fa/gfa_verify/', entry)).json())
      assert.equal((await since.get('/user/info')).status, 200)
      assert.equal((await here.patch(STATUS, { gfa_is_enabled: false })).status, 200)
      assert.equal((await since.get('/user/info')).status, 401)
      assert.equal((await here.get('/user/info')).status, 200)
    })

    await t.test('new recovery codes take the place of the old ones', async () => {
      const rosa = await server.signIn('rosa')
      const app = await enableTwoFactor(rosa, server.clock)
      const renewed = (await rosa.post('/g2fa/recovery_codes/')).json().recovery_codes as string[]
      assert.equal(new Set([...renewed, ...app.recoveryCodes]).size, 20)
      const login = (await server.stranger.post('/auth/login/', { username: 'rosa', password: TEST_PASSWORD })).json()
      const enter = async (otp: string | undefined) =>
        (await server.stranger.post('/g2fa/gfa_verify/', { ...login, otp })).status
      assert.equal(await enter(app.recoveryCodes[0]), 400)
      const stored = db.selectFrom('recovery_codes').select('hash').where('user_id', '=', login.user_id)
      assert.equal((await stored.execute()).length, 10)
    })

    await t.test('strangers reach neither secret nor switch', async () => {
      assert.equal((await server.stranger.get(QR)).status, 401)
      assert.equal((await server.stranger.patch(STATUS, { gfa_is_enabled: false })).status, 401)
    })

    await t.test('what can no longer be used is swept', async () => {
      const iris = await server.signIn('iris')
      await enableTwoFactor(iris, server.clock)
      await iris.get(QR)
      await server.stranger.post('/auth/login/', { username: 'iris', password: TEST_PASSWORD })
      server.clock.advance(60 * MINUTE)
      await server.sweep()
      for (const table of ['challenges', 'used_codes', 'pending_authenticators'] as const)
        assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [])
      assert.equal((await db.selectFrom('recovery_codes').select('hash').execute()).length % 10, 0)
    })

    await t.test('an authenticator outlives a restart of the server', async () => {
      const jane = await server.signIn('jane')
      const app = await enableTwoFactor(jane, server.clock)
      await server.restart()
      const login = (await server.stranger.post('/auth/login/', { username: 'jane', password: TEST_PASSWORD })).json()
      const { user_id, challenge } = login
      const answer = await server.stranger.post('/g2fa/gfa_verify/', { user_id, otp: app.code(1), challenge })
      assert.equal(answer.status, 200)
    })
  })
}
