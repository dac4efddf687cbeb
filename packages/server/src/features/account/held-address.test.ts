import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENGINES,
  findToken,
  startTestServer,
  TEST_PASSWORD,
  type TestClient,
  type TestEngine,
  type TestServer,
} from '../../testing.ts'
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '../../testing/identity-provider.ts'
import { openBrowser } from '../../testing/provider-browser.ts'

const HOUR = 60 * 60_000
const UPDATE = '/profile/update_profile/'
const ROUNDS = 8

async function start(t: Parameters<typeof startTestServer>[0], engine: TestEngine) {
  const provider = await startIdentityProvider()
  t.after(() => provider.close())
  const settings = { id: 'oidc', name: 'City ID', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } as const
  const server = await startTestServer(t, engine, {
    config: { identityProviders: [{ ...settings, issuer: provider.issuer, hasButton: true }] },
  })
  return { server, provider }
}

const verify = (server: TestServer, token: string) => server.stranger.post('/auth/verify-email/', { token })

async function newestTo(server: TestServer, address: string, path: string): Promise<string> {
  const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === address)
  return findToken(
    mails.findLast(({ text }) => text?.includes(`/${path}/`)),
    path,
  )
}

/**
 * An address that `claimant` has claimed since before `owner` had it, `owner` has proved, and has changed just now.
 * @returns how to have another link mailed that proves it to be the claimant's
 */
async function holdAddress(server: TestServer, name: string) {
  const email = `${name}@example.org`
  const claimant = await server.signIn(`${name}.claimant`, { email, verified: false })
  const owner = await server.signIn(`${name}.owner`, { email })
  const mailLink = async () => {
    assert.equal((await claimant.post('/profile/resend_verification_email/')).status, 200)
    return newestTo(server, email, 'verify-email')
  }
  assert.equal((await owner.patch(UPDATE, { email: `${name}.new@example.org` })).status, 200)
  const undo = await newestTo(server, email, 'undo-email')
  return { email, claimant, owner, mailLink, undo }
}

async function isVerified(person: TestClient): Promise<boolean> {
  return (await person.get('/user/info')).json().is_email_verified
}

async function takeBack(server: TestServer, { email, undo }: { email: string; undo: string }, owner: string) {
  assert.equal((await server.stranger.post('/auth/undo-email/', { token: undo })).status, 200)
  const info = (await (await server.signIn(owner)).get('/user/info')).json()
  assert.deepEqual([info.email, info.is_email_verified], [email, true])
}

for (const engine of ENGINES) {
  test(`an address that was changed stays its old owner's for 24 hours, whoever claimed it before (${engine})`, async (t) => {
    const { server, provider } = await start(t, engine)

    await t.test('9.37 after the change was taken back the claim is refused as that of any owned address', async () => {
      const held = await holdAddress(server, 'bea')
      const token = await held.mailLink()
      assert.equal((await verify(server, token)).json().code, 'email_kept')
      await takeBack(server, held, 'bea.owner')
      assert.equal((await verify(server, token)).json().code, 'link_invalid')
    })

    await t.test('9.37 nor is it verified by hand, and that says why', async () => {
      const root = await server.signIn('root', { is_superuser: true })
      const held = await holdAddress(server, 'cleo')
      const { id } = (await held.claimant.get('/user/info')).json()
      const byHand = (person: TestClient) => person.patch(`/admin/users/${id}/`, { is_email_verified: true })
      const refused = await byHand(root)
      assert.deepEqual([refused.status, refused.json().code], [409, 'email_kept'])
      assert.equal(await isVerified(held.claimant), false)
      await takeBack(server, held, 'cleo.owner')
      const taken = await byHand(root)
      assert.deepEqual([taken.status, taken.json().code], [403, 'email_taken'])
    })

    await t.test('9.37 a new password by a mailed link verifies nothing, and is set all the same', async () => {
      const held = await holdAddress(server, 'dora')
      await server.stranger.post('/password/reset/', { email: held.email })
      const mails = (await server.mails()).filter(({ text }) => text?.includes('dora.claimant'))
      const token = findToken(
        mails.findLast(({ text }) => text?.includes('/reset-password/')),
        'reset-password',
      )
      const answer = await server.stranger.post('/password/reset/confirm/', { token, new_password: 'Another1!' })
      assert.equal(answer.status, 200, answer.body)
      const login = { username: 'dora.claimant', password: 'Another1!' }
      assert.equal((await server.stranger.post('/auth/login/', login)).json().is_email_verified, false)
      await takeBack(server, held, 'dora.owner')
    })

    await t.test('9.37 nobody gets it by registering, also not by registering again', async () => {
      const held = await holdAddress(server, 'emma')
      const names = { first_name: 'A', last_name: 'B', phone_number: '1', password: TEST_PASSWORD }
      const body = { ...names, username: 'emma.third', email: 'Emma@example.org' }
      assert.deepEqual((await server.stranger.post('/auth/register/', body)).json().email, [
        'A user with that email already exists.',
      ])
      // Nothing of the older claim is lost by that.
      const row = await server.deps.db
        .selectFrom('users')
        .select(['email', 'is_email_verified'])
        .where('username', '=', 'emma.claimant')
        .executeTakeFirstOrThrow()
      assert.deepEqual([row.email, row.is_email_verified], ['emma@example.org', 0])
      await takeBack(server, held, 'emma.owner')
    })

    await t.test('9.37 nor by a provider: no account is made or offered, and that says why', async () => {
      const held = await holdAddress(server, 'fay')
      provider.person = { sub: 'fay', email: held.email, email_verified: true }
      const fragment = await openBrowser(server).visit(provider)
      assert.deepEqual([...fragment], [['provider_error', 'email_kept']])
      await takeBack(server, held, 'fay.owner')
      const after = await openBrowser(server).visit(provider)
      assert.ok(after.get('provider_join'), 'then it is an account to join')
    })

    await t.test('its own person verifies it again by changing back, and nobody is faster', async () => {
      const held = await holdAddress(server, 'gina')
      assert.equal((await held.owner.patch(UPDATE, { email: held.email })).status, 200)
      const own = await newestTo(server, held.email, 'verify-email')
      const other = await held.mailLink()
      assert.equal((await verify(server, other)).json().code, 'email_kept')
      assert.equal((await verify(server, own)).status, 200)
      assert.equal(await isVerified(held.owner), true)
    })

    await t.test('also when it is verified while it is changed', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const email = `race${round}@example.org`
        const claimant = await server.signIn(`race${round}.claimant`, { email, verified: false })
        await claimant.post('/profile/resend_verification_email/')
        const token = await newestTo(server, email, 'verify-email')
        const owner = await server.signIn(`race${round}.owner`, { email: `first${round}@example.org` })
        await owner.patch(UPDATE, { email })
        await verify(server, await newestTo(server, email, 'verify-email'))
        const [changed, verified] = await Promise.all([
          owner.patch(UPDATE, { email: `after${round}@example.org` }),
          verify(server, token),
        ])
        assert.equal(changed.status, 200, changed.body)
        assert.ok(['link_invalid', 'email_kept'].includes(verified.json().code), verified.body)
        assert.equal(await isVerified(claimant), false)
      }
    })

    // Last: identity providers go by the real time.
    await t.test('9.37 a mailed link does not verify the claim, and after 24 hours one does', async () => {
      const held = await holdAddress(server, 'ada')
      const token = await held.mailLink()
      const refused = await verify(server, token)
      assert.deepEqual([refused.status, refused.json().code], [409, 'email_kept'])
      assert.match(refused.json().detail, /24 hours/)
      assert.equal(await isVerified(held.claimant), false)
      await server.settle()
      server.clock.advance(23 * HOUR)
      assert.equal((await verify(server, token)).json().code, 'email_kept')
      // The link itself lasts from when it was mailed, so another one.
      server.clock.advance(HOUR)
      const claimant = await server.signIn('ada.claimant')
      await claimant.post('/profile/resend_verification_email/')
      const later = await verify(server, await newestTo(server, held.email, 'verify-email'))
      assert.equal(later.status, 200, later.body)
      assert.equal(await isVerified(claimant), true)
    })
  })
}
