import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64url, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import type { IdentityProvider } from '../../config/config.ts'
import { ENGINES, startTestServer, TEST_PASSWORD } from '../../testing.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  OTHER_CLIENT_ID,
  startIdentityProvider,
  type IdentityProviderOptions,
} from '../../testing/identity-provider.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const MINUTE = 60_000
const FAILED = 'provider_login_failed'

async function start(
  t: Parameters<typeof startTestServer>[0],
  engine: (typeof ENGINES)[number] = 'sqlite',
  options: IdentityProviderOptions = {},
) {
  const google = await startIdentityProvider(options)
  const foreign = await startIdentityProvider()
  t.after(async () => {
    await google.close()
    await foreign.close()
  })
  const settings: IdentityProvider = {
    id: 'google',
    name: 'Google',
    issuer: google.issuer,
    clientId: CLIENT_ID,
    clientSecret: undefined,
    hasButton: false,
  }
  const server = await startTestServer(t, engine, { config: { identityProviders: [settings] } })
  const logIn = async (token: unknown, shown: object = {}) => {
    const answer = await server.stranger.post('/google-login/', { token, ...shown })
    return { status: answer.status, body: answer.json(), headers: answer.headers }
  }
  return { google, foreign, server, logIn }
}

for (const engine of ENGINES) {
  test(`signing in with an ID token (${engine})`, async (t) => {
    const { google, foreign, server, logIn } = await start(t, engine)
    google.person = { sub: '1', email: 'ada@example.org', email_verified: true }
    foreign.person = google.person

    await t.test('3.7 7.11 answers tokens and the user info', async () => {
      const { status, body } = await logIn(await google.makeIdToken())
      assert.equal(status, 200)
      assert.match(body.token.access, /^[\w-]{43}$/)
      assert.match(body.token.refresh, /^[\w-]{43}$/)
      assert.equal(body.payload.email, 'ada@example.org')
      assert.equal(body.payload.is_email_verified, true)
      assert.equal(body.user_id, body.payload.id)
      const authorization = `Bearer ${body.token.access}`
      assert.equal((await server.stranger.get('/user/info', { authorization })).status, 200)
    })

    await t.test('each token is taken once, also when it is sent several times at once', async () => {
      const token = await google.makeIdToken()
      const answers = await Promise.all([logIn(token), logIn(token), logIn(token)])
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 400, 400],
      )
      const { status, body } = await logIn(token)
      assert.equal(status, 400)
      const detail = 'Could not authenticate with Google'
      assert.deepEqual(body, { code: FAILED, detail, error: detail })
    })

    await t.test('7.11 a token for another site is refused', async () => {
      assert.equal((await logIn(await google.makeIdToken(OTHER_CLIENT_ID))).body.code, FAILED)
    })

    await t.test('a token of another issuer is refused', async () => {
      assert.equal((await logIn(await foreign.makeIdToken())).body.code, FAILED)
    })

    await t.test('an unverified e-mail and an unverified account are refused, with what helps', async () => {
      google.person = { sub: '9', email: 'ada@example.org', email_verified: false }
      assert.equal((await logIn(await google.makeIdToken())).body.code, 'provider_email_unverified')
      await server.createUser({ username: 'squatter', email: 'eve@example.org', verified: false })
      google.person = { sub: '2', email: 'eve@example.org', email_verified: true }
      const { status, body } = await logIn(await google.makeIdToken())
      assert.equal(status, 400)
      assert.equal(body.code, 'provider_account_unverified')
      assert.match(body.error, /Forgot your password\?/)
    })

    await t.test('two-factor applies after it', async () => {
      await enableTwoFactor(await server.signIn('linus'), server.clock)
      google.person = { sub: '3', email: 'linus@example.org', email_verified: true }
      const { id: user_id } = await server.deps.db
        .selectFrom('users')
        .select('id')
        .where('username', '=', 'linus')
        .executeTakeFirstOrThrow()
      const { issuer } = google
      const email = 'linus@example.org'
      const identity = { user_id, provider: 'google', issuer, subject: '3', email, linked_at: 1 } as const
      await server.deps.db.insertInto('identities').values(identity).execute()
      const { body, headers } = await logIn(await google.makeIdToken())
      assert.deepEqual(body.token, { access: null, refresh: null })
      assert.equal(body.gfa_is_enabled, true)
      assert.equal(body.user_id, body.payload.id)
      assert.match(String(headers['set-cookie']), new RegExp(`^challenge=${body.challenge};`))
    })

    await t.test(
      'joins an account by its password, with two-factor on by a code too, and with a new token each',
      async () => {
        const app = await enableTwoFactor(await server.signIn('grace'), server.clock)
        google.person = { sub: '4', email: 'grace@example.org', email_verified: true }
        const { status, body } = await logIn(await google.makeIdToken())
        assert.deepEqual([status, body.code], [409, 'provider_join_needed'])
        const wrong = await logIn(await google.makeIdToken(), { password: 'Wrong1!' })
        assert.deepEqual([wrong.status, wrong.body.code], [400, 'password_wrong'])
        const half = await logIn(await google.makeIdToken(), { password: TEST_PASSWORD })
        assert.equal(half.body.code, 'two_factor_code_missing')
        // Nothing was linked by half of it.
        assert.equal((await logIn(await google.makeIdToken())).body.code, 'provider_join_needed')
        const joined = await logIn(await google.makeIdToken(), { password: TEST_PASSWORD, otp: app.code(1) })
        assert.equal(joined.status, 200, JSON.stringify(joined.body))
        assert.match(joined.body.token.access, /^[\w-]{43}$/)
        assert.equal((await logIn(await google.makeIdToken())).body.gfa_is_enabled, true)
      },
    )

    await t.test('a token of five minutes ago is too old, although it runs out later', async () => {
      const fresh = await google.makeIdToken()
      const old = await google.makeIdToken()
      server.clock.advance(4 * MINUTE)
      assert.equal((await logIn(fresh)).status, 200)
      server.clock.advance(MINUTE + 11_000)
      assert.equal((await logIn(old)).body.code, FAILED)
    })
  })
}

test('a token that ran out is refused, although it is fresh', async (t) => {
  const { google, server, logIn } = await start(t, 'sqlite', { idTokenSeconds: 30 })
  google.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  const token = await google.makeIdToken()
  server.clock.advance(MINUTE)
  assert.equal((await logIn(token)).body.code, FAILED)
})

test('a token from the future is refused', async (t) => {
  const { google, server, logIn } = await start(t)
  google.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  const token = await google.makeIdToken()
  server.clock.advance(-MINUTE)
  assert.equal((await logIn(token)).body.code, FAILED)
})

/** Order of P-256 (NIST SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** With (r, s) an ECDSA signature (r, n - s) is valid, too: anybody can compute it. */
function resign(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = ORDER - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
  return `${header}.${payload}.${other.toString('base64url')}`
}

test('a token is the same one under its other valid signature', async (t) => {
  const { google, logIn } = await start(t, 'sqlite', { algorithm: 'ES256' })
  google.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  const token = await google.makeIdToken()
  assert.equal((await logIn(resign(token))).status, 200)
  assert.equal((await logIn(token)).body.code, FAILED)
})

test('forged, altered and hostile tokens are refused without a fault', async (t) => {
  const { google, server, logIn } = await start(t)
  google.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  const real = await google.makeIdToken()
  const [header = '', payload = '', signature = ''] = real.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const altered = base64url.encode(JSON.stringify({ ...claims, email: 'root@example.org' }))
  const { privateKey } = await generateKeyPair('RS256')
  const forge = (kid: string) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  const byMac = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' })
  const tokens: unknown[] = [
    `${header}.${altered}.${signature}`,
    `${header}.${payload}.`,
    new UnsecuredJWT(claims).encode(),
    await forge('first'),
    await forge('second'),
    await byMac.sign(Buffer.from(CLIENT_SECRET)),
    `${base64url.encode('{"alg":"none"}')}.${payload}.`,
    `${header}.${base64url.encode('{"iss":5}')}.x`,
    `${header}.${base64url.encode('[]')}.x`,
    '..',
    'x',
    '',
    '\u0000',
    'x'.repeat(20_000),
    5,
    null,
    { iss: google.issuer },
  ]
  for (const [index, token] of tokens.entries()) assert.equal((await logIn(token)).status, 400, `token ${index}`)
  assert.equal((await server.deps.db.selectFrom('users').select('id').execute()).length, 0)
  // None of them used the real one up.
  assert.equal((await logIn(real)).status, 200)
})

test('a token that several sites may read is taken only where it says that it is for us, and of no other issuer', async (t) => {
  const { google, server, logIn } = await start(t)
  const { issuer: iss } = google
  const iat = Math.floor(server.clock.now() / 1000)
  const claims = { iss, sub: '1', email: 'ada@example.org', email_verified: true, iat, exp: iat + 60 }
  const both = [CLIENT_ID, OTHER_CLIENT_ID]
  for (const [said, status] of [
    [{ aud: both }, 400],
    [{ aud: both, azp: OTHER_CLIENT_ID }, 400],
    [{ aud: CLIENT_ID, azp: OTHER_CLIENT_ID }, 400],
    [{ aud: OTHER_CLIENT_ID, azp: CLIENT_ID }, 400],
    [{ aud: CLIENT_ID, iss: `${iss}/` }, 400],
    [{ aud: both, azp: CLIENT_ID }, 200],
    [{ aud: CLIENT_ID, azp: CLIENT_ID }, 200],
    [{ aud: [CLIENT_ID] }, 200],
  ] as const)
    assert.equal(
      (await logIn(await google.signClaims({ ...claims, ...said, aud: [said.aud].flat() }))).status,
      status,
      JSON.stringify(said),
    )
})

test('a provider that cannot be reached is no failure of the caller', async (t) => {
  const { google, logIn } = await start(t)
  const token = await google.makeIdToken()
  await google.close()
  for (let tries = 0; tries < 3; tries += 1) {
    const { status, body } = await logIn(token)
    assert.equal(status, 503)
    assert.equal(body.code, 'provider_unavailable')
  }
})

test('100 failures of one address in 15 minutes are enough', async (t) => {
  const { logIn } = await start(t)
  for (let tries = 0; tries < 100; tries += 1) assert.equal((await logIn('x')).status, 400)
  const { status, headers } = await logIn('x')
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) > 0)
})
