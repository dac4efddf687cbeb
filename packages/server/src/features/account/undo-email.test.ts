import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { account } from './feature.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const HOUR = 60 * 60_000
const UPDATE = '/profile/update_profile/'
const UNDO = '/auth/undo-email/'

async function newestTo(server: TestServer, address: string, path: string): Promise<string | undefined> {
  const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === address)
  const mail = mails.findLast(({ text }) => text?.includes(`/${path}/`))
  return mail && findToken(mail, path)
}

/** What the one mail that tells of a change taken back says has gone besides the sessions. */
async function listTold(server: TestServer, username: string): Promise<string[]> {
  const mails = (await server.mails()).filter(({ subject }) => subject?.endsWith('was taken back'))
  const own = mails.filter(({ text }) => text?.includes(`account ${username} at`))
  assert.deepEqual(
    own.map(({ to }) => to?.[0]?.address),
    [`${username}@example.org`],
  )
  const text = (own[0]?.text ?? '').replaceAll(/\s+/g, ' ')
  assert.match(text, /All devices were signed out/)
  return text.match(/[A-Z][^.]* since the change\./g) ?? []
}

for (const engine of ENGINES) {
  test(`a changed e-mail can be taken back from the old address (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const undo = (token: string | undefined) => server.stranger.post(UNDO, { token })
    const register = (username: string, email: string) =>
      server.stranger.post('/auth/register/', {
        username,
        email,
        password: TEST_PASSWORD,
        first_name: 'A',
        last_name: 'B',
        phone_number: '1',
      })

    await t.test('the link restores it as verified, ends every session and kills reset links', async () => {
      const ada = await server.signIn('ada')
      await ada.patch(UPDATE, { email: 'mallory@example.org' })
      const verify = await newestTo(server, 'mallory@example.org', 'verify-email')
      assert.equal((await server.stranger.post('/auth/verify-email/', { token: verify })).status, 200)
      await server.stranger.post('/password/reset/', { email: 'mallory@example.org' })
      const reset = await newestTo(server, 'mallory@example.org', 'reset-password')
      assert.ok(reset)
      const answer = await undo(await newestTo(server, 'ada@example.org', 'undo-email'))
      assert.equal(answer.status, 200, answer.body)
      assert.equal(answer.json().username, 'ada')
      assert.equal((await ada.get('/user/info')).status, 401)
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: ada.refresh })).status, 401)
      const confirm = { token: reset, new_password: 'Stolen1!' }
      assert.equal((await server.stranger.post('/password/reset/confirm/', confirm)).status, 400)
      assert.deepEqual(await listTold(server, 'ada'), [])
      const info = (await (await server.signIn('ada')).get('/user/info')).json()
      assert.deepEqual([info.email, info.is_email_verified], ['ada@example.org', true])
      await server.stranger.post('/password/reset/', { email: 'ada@example.org' })
      assert.ok(await newestTo(server, 'ada@example.org', 'reset-password'))
    })

    await t.test('9.40 the second step that was set up since goes with it, whoever has its codes', async () => {
      const ivy = await server.signIn('ivy')
      await ivy.patch(UPDATE, { email: 'ivy2@example.org' })
      server.clock.advance(1000)
      const app = await enableTwoFactor(ivy, server.clock)
      const kay = await server.signIn('kay')
      await enableTwoFactor(kay, server.clock)
      const { id: other } = (await kay.get('/user/info')).json()
      const answer = await undo(await newestTo(server, 'ivy@example.org', 'undo-email'))
      assert.equal(answer.status, 200, answer.body)
      const info = (await (await server.signIn('ivy')).get('/profile/info/')).json()
      assert.equal(info.gfa_is_enabled, false)
      for (const [table, left] of [
        ['authenticators', 1],
        ['recovery_codes', 10],
        ['used_codes', 1],
      ] as const) {
        const rows = await server.deps.db.selectFrom(table).select('user_id').execute()
        assert.deepEqual(
          rows,
          Array.from({ length: left }, () => ({ user_id: other })),
          table,
        )
      }
      assert.equal(app.recoveryCodes.length, 10)
      assert.deepEqual(await listTold(server, 'ivy'), ['Two-factor sign-in was set up since the change.'])
      const entries = await server.deps.db.selectFrom('audit_entries').select('action').execute()
      assert.equal(entries.filter(({ action }) => action === 'two_factor_off').length, 1)
    })

    await t.test('9.40 one that was there before stays; recovery codes that were made since do not', async () => {
      const jane = await server.signIn('jane')
      const app = await enableTwoFactor(jane, server.clock)
      server.clock.advance(60_000)
      await jane.patch(UPDATE, { email: 'jane2@example.org' })
      server.clock.advance(60_000)
      assert.equal((await jane.post('/g2fa/recovery_codes/')).status, 200)
      assert.equal((await undo(await newestTo(server, 'jane@example.org', 'undo-email'))).status, 200)
      const login = await server.stranger.post('/auth/login/', { username: 'jane', password: TEST_PASSWORD })
      const { user_id, challenge, gfa_is_enabled } = login.json()
      assert.equal(gfa_is_enabled, true)
      const codes = server.deps.db.selectFrom('recovery_codes').selectAll()
      assert.deepEqual(await codes.where('user_id', '=', user_id).execute(), [])
      assert.deepEqual(await listTold(server, 'jane'), ['Recovery codes were made since the change.'])
      const entry = await server.stranger.post('/g2fa/gfa_verify/', { user_id, challenge, otp: app.code() })
      assert.equal(entry.status, 200, entry.body)
    })

    await t.test('9.40 recovery codes that were there before stay, and so do the changes of others', async () => {
      const [kit, nat] = [await server.signIn('kit'), await server.signIn('nat')]
      const { id } = (await kit.get('/user/info')).json()
      await enableTwoFactor(kit, server.clock)
      server.clock.advance(60_000)
      assert.equal((await kit.patch(UPDATE, { email: 'kit2@example.org' })).status, 200)
      assert.equal((await nat.patch(UPDATE, { email: 'nat2@example.org' })).status, 200)
      assert.equal((await undo(await newestTo(server, 'kit@example.org', 'undo-email'))).status, 200)
      const codes = server.deps.db.selectFrom('recovery_codes').select('hash').where('user_id', '=', id)
      assert.equal((await codes.execute()).length, 10)
      assert.deepEqual(await listTold(server, 'kit'), [])
      assert.equal((await undo(await newestTo(server, 'nat@example.org', 'undo-email'))).status, 200)
    })

    await t.test(
      '9.40 a provider that was linked since is unlinked, which the mail and the audit trail tell',
      async () => {
        const lea = await server.signIn('lea')
        const { id: user_id } = (await lea.get('/user/info')).json()
        const link = (subject: string, linked_at: number, id = user_id) =>
          server.deps.db
            .insertInto('identities')
            .values({ user_id: id, provider: 'google', issuer: subject, subject, email: 'x@example.org', linked_at })
            .execute()
        await link('before', server.clock.now() - 1000)
        await lea.patch(UPDATE, { email: 'lea2@example.org' })
        await link('since', server.clock.now() + 1000)
        const entry = { user_id, hash: 'of a sign-in', expires_at: server.clock.now() + 60_000 }
        await server.deps.db.insertInto('provider_entries').values(entry).execute()
        await link('of another', server.clock.now() + 1000, (await server.createUser({ username: 'moe' })).id)
        assert.equal((await undo(await newestTo(server, 'lea@example.org', 'undo-email'))).status, 200)
        const left = await server.deps.db.selectFrom('identities').select('subject').orderBy('id').execute()
        assert.deepEqual(left, [{ subject: 'before' }, { subject: 'of another' }])
        assert.deepEqual(await server.deps.db.selectFrom('provider_entries').selectAll().execute(), [])
        assert.deepEqual(await listTold(server, 'lea'), ['A sign-in provider was linked since the change.'])
        const unlinked = (await server.mails()).filter(({ subject }) => subject?.includes('was unlinked'))
        assert.deepEqual(unlinked, [], 'one mail tells of all')
        const entries = await server.deps.db.selectFrom('audit_entries').select('action').execute()
        assert.equal(entries.filter(({ action }) => action === 'provider_unlinked').length, 1)
      },
    )

    await t.test('it works once, also when it is used twice at once', async () => {
      const bea = await server.signIn('bea')
      await bea.patch(UPDATE, { email: 'bea2@example.org' })
      const token = await newestTo(server, 'bea@example.org', 'undo-email')
      const both = await Promise.all([undo(token), undo(token)])
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 400],
      )
      assert.equal((await undo(token)).json().code, 'link_invalid')
    })

    await t.test('nobody else gets the old address meanwhile, not even by a change', async () => {
      const cleo = await server.signIn('cleo')
      await cleo.patch(UPDATE, { email: 'cleo2@example.org' })
      assert.equal((await register('thief', 'Cleo@example.org')).status, 400)
      const eve = await server.signIn('eve')
      const taken = await eve.patch(UPDATE, { email: 'cleo@example.org' })
      assert.deepEqual(taken.json().email, ['A user with that email already exists.'])
      // Its own person may.
      assert.equal((await cleo.patch(UPDATE, { email: 'cleo@example.org' })).status, 200)
      assert.equal((await cleo.patch(UPDATE, { email: 'cleo3@example.org' })).status, 200)
      // The notice is sent before the clock jumps: the day begins then.
      await server.settle()
      server.clock.advance(25 * HOUR)
      assert.equal((await register('later', 'cleo@example.org')).status, 201)
    })

    await t.test('a second change gives its own address no way to keep the first from being taken back', async () => {
      const dora = await server.signIn('dora')
      await dora.patch(UPDATE, { email: 'm1@example.org' })
      const mine = await newestTo(server, 'dora@example.org', 'undo-email')
      const verify = await newestTo(server, 'm1@example.org', 'verify-email')
      await server.stranger.post('/auth/verify-email/', { token: verify })
      await dora.patch(UPDATE, { email: 'm2@example.org' })
      const theirs = await newestTo(server, 'm1@example.org', 'undo-email')
      assert.equal((await undo(theirs)).status, 200)
      assert.equal((await undo(mine)).status, 200)
      assert.equal((await undo(theirs)).status, 400)
      const info = (await (await server.signIn('dora')).get('/user/info')).json()
      assert.equal(info.email, 'dora@example.org')
    })

    await t.test(
      '18.7 after a restore no mailed link takes a change back, and the address is held as before',
      async () => {
        const hal = await server.signIn('hal')
        await hal.patch(UPDATE, { email: 'hal2@example.org' })
        const token = await newestTo(server, 'hal@example.org', 'undo-email')
        await account.restored?.(server.deps.db)
        assert.equal((await undo(token)).json().code, 'link_invalid')
        assert.equal((await register('thief', 'hal@example.org')).status, 400)
      },
    )

    await t.test('it lasts 24 hours, and what has run out is swept away', async () => {
      const fay = await server.signIn('fay')
      await fay.patch(UPDATE, { email: 'fay2@example.org' })
      const token = await newestTo(server, 'fay@example.org', 'undo-email')
      server.clock.advance(24 * HOUR)
      assert.equal((await undo(token)).status, 400)
      await server.sweep()
      assert.deepEqual(await server.deps.db.selectFrom('email_changes').selectAll().execute(), [])
    })

    await t.test('an address that was never proved is told, and cannot be given back to whoever reads it', async () => {
      const gina = await server.signIn('gina', { verified: false })
      await gina.patch(UPDATE, { email: 'gina2@example.org' })
      const told = (await server.mails()).filter((mail) => mail.to?.[0]?.address === 'gina@example.org')
      assert.equal(told.length, 1)
      assert.ok(!told[0]?.text?.includes('undo-email'))
      const kept = server.deps.db.selectFrom('email_changes').select('id').where('old_email', '=', 'gina@example.org')
      assert.deepEqual(await kept.execute(), [])
      assert.equal((await register('other', 'gina@example.org')).status, 201)
    })

    await t.test('hostile tokens are refused without a fault', async () => {
      for (const token of ['', 'x', 'A'.repeat(43), 'A'.repeat(500), null, 5, '\u0000'])
        assert.equal((await server.stranger.post(UNDO, { token })).status, 400)
    })
  })
}
