import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byClient } from '../../http/limits.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '../../testing/identity-provider.ts'
import { openBrowser } from '../../testing/provider-browser.ts'
import { REGISTRATION } from '../auth/limits.ts'

async function start(t: Parameters<typeof startTestServer>[0]) {
  const provider = await startIdentityProvider()
  t.after(() => provider.close())
  const { issuer } = provider
  const settings = { id: 'oidc', name: 'City ID', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } as const
  const server = await startTestServer(t, 'sqlite', {
    config: { identityProviders: [{ ...settings, issuer, hasButton: true }] },
  })
  provider.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  return { server, provider }
}

async function countFailures(server: TestServer): Promise<number> {
  const failures = await server.deps.db
    .selectFrom('audit_entries')
    .select('details')
    .where('action', '=', 'sign_in_failed')
    .execute()
  for (const { details } of failures) assert.deepEqual(JSON.parse(details), { way: 'provider' })
  return failures.length
}

test('10.1 a sign-in by a provider that is refused is recorded, whichever step of it that is', async (t) => {
  const { server, provider } = await start(t)
  const browser = openBrowser(server)
  const answer = await provider.visit(await browser.start())
  const code = (await browser.comeBack(answer)).get('provider_code')
  assert.equal(await countFailures(server), 0)
  assert.equal((await browser.comeBack(answer)).get('provider_error'), 'provider_login_failed')
  assert.equal(await countFailures(server), 1)
  assert.equal((await browser.finish('A'.repeat(43))).status, 400)
  assert.equal(await countFailures(server), 2)
  assert.equal((await server.stranger.post('/google-login/', { token: 'x' })).status, 400)
  assert.equal(await countFailures(server), 3)
  assert.equal((await browser.finish(code)).status, 200)
  assert.equal(await countFailures(server), 3)
})

test('a provider that goes away in the middle of a sign-in is told as that, and is no failure of whoever signs in', async (t) => {
  const { server, provider } = await start(t)
  const browser = openBrowser(server)
  const answer = await provider.visit(await browser.start())
  await provider.close()
  assert.equal((await browser.comeBack(answer)).get('provider_error'), 'provider_unavailable')
  assert.equal(await countFailures(server), 0)
})

test('an account is mailed five links to join it by an hour, and what was refused may still be joined by the password', async (t) => {
  const { server, provider } = await start(t)
  await server.createUser({ username: 'ada' })
  for (let n = 1; n <= 6; n += 1) {
    const browser = openBrowser(server, `198.51.${n}.1`)
    const code = (await browser.visit(provider)).get('provider_join')
    const asked = await browser.post('/auth/oidc/join/mail/', { code })
    assert.equal(asked.status, n <= 5 ? 200 : 429, JSON.stringify(asked.body))
    if (n > 5) assert.equal((await browser.post('/auth/oidc/join/', { code, password: TEST_PASSWORD })).status, 200)
  }
  const mailed = (await server.mails()).filter(({ text }) => text?.includes('/join-provider/'))
  assert.equal(mailed.length, 5)
})

test('what providers gave out outlives the sweep until it runs out, and what was used stays used', async (t) => {
  const { server, provider } = await start(t)
  const token = await provider.makeIdToken()
  assert.equal((await server.stranger.post('/google-login/', { token })).status, 200)
  const [enters, joins] = [openBrowser(server), openBrowser(server)]
  const code = (await enters.visit(provider)).get('provider_code')
  await server.createUser({ username: 'bea' })
  provider.person = { sub: '2', email: 'bea@example.org', email_verified: true }
  const offer = (await joins.visit(provider)).get('provider_join')
  await server.sweep()
  assert.equal((await server.stranger.post('/google-login/', { token })).status, 400)
  assert.equal((await enters.finish(code)).status, 200)
  const joined = await joins.post('/auth/oidc/join/', { code: offer, password: TEST_PASSWORD })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
})

test('a provider that confirms somebody by a sign-in of before confirms nobody', async (t) => {
  const { server, provider } = await start(t)
  assert.equal((await openBrowser(server).signIn(provider)).status, 200)
  const confirm = async () => (await openBrowser(server).visit(provider, 'confirm')).get('provider_error')
  assert.equal(await confirm(), null)
  // As here they asked for it two minutes after the provider says that it was.
  server.clock.advance(2 * 60_000)
  assert.equal(await confirm(), 'provider_login_failed')
})

test('accounts that are made by a provider count among those of their client', async (t) => {
  const { server, provider } = await start(t)
  for (let n = 0; n < 100; n += 1) await server.deps.limits.attempt(...byClient(REGISTRATION, '192.0.2.1'))
  const enter = async (address: string) => (await openBrowser(server, address).visit(provider)).get('provider_error')
  assert.equal(await enter('192.0.2.1'), 'rate_limited')
  assert.equal(await enter('192.0.2.2'), null)
  // Whoever has one enters from there as before.
  assert.equal(await enter('192.0.2.1'), null)
})

test('a password that is changed while it is looked at joins no account', async (t) => {
  const { server, provider } = await start(t)
  const { passwords, db } = server.deps
  await server.createUser({ username: 'ada' })
  const browser = openBrowser(server)
  const code = (await browser.visit(provider)).get('provider_join')
  const { matches } = passwords
  const password_hash = await passwords.hash('Another1!')
  passwords.matches = async (...given) => {
    const isRight = await matches(...given)
    await db.updateTable('users').set({ password_hash }).execute()
    return isRight
  }
  const { status, body } = await browser.post('/auth/oidc/join/', { code, password: TEST_PASSWORD })
  assert.deepEqual([status, body.code], [400, 'password_wrong'])
  assert.deepEqual(await db.selectFrom('identities').select('id').execute(), [])
  assert.equal((await browser.post('/auth/oidc/join/', { code, password: 'Another1!' })).status, 200)
})

test('an account that is linked with one provider may be joined by another', async (t) => {
  const { server, provider } = await start(t)
  const { id: user_id } = await server.createUser({ username: 'ada' })
  const google = { user_id, provider: 'google', issuer: 'https://accounts.google.com', subject: '1' } as const
  await server.deps.db
    .insertInto('identities')
    .values({ ...google, email: 'ada@example.org', linked_at: 1 })
    .execute()
  assert.ok((await openBrowser(server).visit(provider)).get('provider_join'))
})

test('the same subject at another issuer is somebody else', async (t) => {
  const { server, provider } = await start(t)
  const { id: user_id } = await server.createUser({ username: 'other' })
  const known = { user_id, provider: 'oidc', issuer: 'https://before.example', subject: '1' } as const
  await server.deps.db
    .insertInto('identities')
    .values({ ...known, email: 'ada@example.org', linked_at: 1 })
    .execute()
  const { body } = await openBrowser(server).signIn(provider)
  assert.equal(body.payload.username, 'ada')
})
