import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProviderOptions,
} from '../../testing/identity-provider.ts'
import { openBrowser } from '../../testing/provider-browser.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const CALLBACK = `http://127.0.0.1:8000${API_BASE}/auth/oidc/callback`
const MINUTE = 60_000

async function start(
  t: Parameters<typeof startTestServer>[0],
  engine: (typeof ENGINES)[number] = 'sqlite',
  options: IdentityProviderOptions = {},
) {
  const provider = await startIdentityProvider(options)
  t.after(() => provider.close())
  const { issuer } = provider
  const settings = { id: 'oidc', name: 'City ID', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } as const
  const server = await startTestServer(t, engine, {
    config: { identityProviders: [{ ...settings, issuer, hasButton: true }] },
  })
  return { server, provider }
}

async function countUsers(server: TestServer): Promise<number> {
  return (await server.deps.db.selectFrom('users').select('id').execute()).length
}

const FAILED = 'provider_login_failed'

for (const engine of ENGINES) {
  test(`signing in by a provider's page (${engine})`, async (t) => {
    const { server, provider } = await start(t, engine)

    await t.test('makes an ordinary, verified account with a name from the address, and signs in', async () => {
      provider.person = {
        sub: '1',
        email: 'grace.hopper+desk@example.org',
        email_verified: true,
        given_name: 'Grace',
        family_name: 'Hopper',
      }
      const { status, body } = await openBrowser(server).signIn(provider)
      assert.equal(status, 200)
      assert.deepEqual(body, {
        token: body.token,
        payload: {
          id: body.user_id,
          email: 'grace.hopper+desk@example.org',
          username: 'grace.hopper',
          is_staff: false,
          is_admin: false,
          is_superuser: false,
          is_active: true,
          is_email_verified: true,
          mail_refusal: null,
        },
        gfa_is_enabled: false,
        user_id: body.user_id,
        challenge: null,
      })
      const authorization = `Bearer ${body.token.access}`
      const profile = await server.stranger.get('/profile/info/', { authorization })
      assert.equal(profile.json().first_name, 'Grace')
      assert.equal(profile.json().last_name, 'Hopper')
      assert.deepEqual(await server.mails(), [], 'nobody is told of a provider that their account came with')
      const again = await openBrowser(server).signIn(provider)
      assert.equal(again.body.user_id, body.user_id)
    })

    await t.test('joins an account whose e-mail is verified, whatever its case, by its password', async () => {
      const ada = await server.createUser({ username: 'ada', email: 'Ada@Example.org' })
      provider.person = { sub: '2', email: 'ada@example.ORG', email_verified: true }
      const browser = openBrowser(server)
      const fragment = await browser.visit(provider)
      assert.equal(fragment.get('provider_code'), null)
      const code = fragment.get('provider_join')
      const joined = await browser.post('/auth/oidc/join/', { code, password: TEST_PASSWORD })
      assert.equal(joined.status, 200, JSON.stringify(joined.body))
      assert.equal(joined.body.username, 'ada')
      const { body } = await openBrowser(server).signIn(provider)
      assert.equal(body.user_id, ada.id)
    })

    await t.test('never joins an account whose e-mail is not verified, and says what helps', async () => {
      await server.createUser({ username: 'squatter', email: 'victim@example.org', verified: false })
      provider.person = { sub: '3', email: 'victim@example.org', email_verified: true }
      const browser = openBrowser(server)
      const fragment = await browser.comeBack(await provider.visit(await browser.start()))
      assert.equal(fragment.get('provider_error'), 'provider_account_unverified')
      assert.equal(fragment.get('provider_code'), null)
    })

    await t.test('an e-mail that the provider has not verified signs nobody in and makes nothing', async () => {
      const before = await countUsers(server)
      for (const email_verified of [false, undefined, 'no', 1]) {
        provider.person = { sub: '4', email: 'ada@example.org', email_verified: email_verified as boolean }
        const browser = openBrowser(server)
        const fragment = await browser.comeBack(await provider.visit(await browser.start()))
        assert.equal(fragment.get('provider_error'), 'provider_email_unverified', String(email_verified))
      }
      provider.person = { sub: '5', email_verified: true }
      const browser = openBrowser(server)
      const fragment = await browser.comeBack(await provider.visit(await browser.start()))
      assert.equal(fragment.get('provider_error'), 'provider_email_unverified')
      assert.equal(await countUsers(server), before)
    })

    await t.test('a name that somebody has is never taken over: another one is found', async () => {
      await server.createUser({ username: 'linus', email: 'linus@example.org' })
      provider.person = { sub: '6', email: 'linus@other.example', email_verified: true }
      const { body } = await openBrowser(server).signIn(provider)
      assert.match(body.payload.username, /^linus-\d+$/)
    })

    await t.test('two people at once with one new address become one account', async () => {
      provider.person = { sub: '7', email: 'twins@example.org', email_verified: true }
      const before = await countUsers(server)
      const answers = await Promise.all([openBrowser(server).signIn(provider), openBrowser(server).signIn(provider)])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      assert.equal(answers[0]?.body.user_id, answers[1]?.body.user_id)
      assert.equal(await countUsers(server), before + 1)
    })

    await t.test('a deactivated account stays closed', async () => {
      await server.createUser({ username: 'gone', is_active: false })
      provider.person = { sub: '8', email: 'gone@example.org', email_verified: true }
      assert.equal((await openBrowser(server).visit(provider)).get('provider_error'), FAILED)
      provider.person = { sub: '1', email: 'grace.hopper+desk@example.org', email_verified: true }
      await server.deps.db.updateTable('users').set({ is_active: 0 }).where('username', '=', 'grace.hopper').execute()
      const { status, body } = await openBrowser(server).signIn(provider)
      assert.equal(status, 400)
      const detail = 'Could not authenticate with Google'
      assert.deepEqual(body, { code: FAILED, detail, error: detail })
    })

    await t.test('two-factor applies after it: no token, but a challenge in body and cookie', async () => {
      const app = await enableTwoFactor(await server.signIn('ada'), server.clock)
      provider.person = { sub: '2', email: 'ada@example.org', email_verified: true }
      const { body, cookies } = await openBrowser(server).signIn(provider)
      assert.deepEqual(body.token, { access: null, refresh: null })
      assert.equal(body.gfa_is_enabled, true)
      assert.equal(body.payload.username, 'ada')
      assert.ok(cookies.some((line) => line.startsWith(`challenge=${body.challenge};`)))
      const verify = { user_id: body.user_id, otp: app.code(1), challenge: body.challenge }
      const code = await server.stranger.post('/g2fa/gfa_verify/', verify)
      assert.equal(code.status, 200, code.body)
      assert.match(code.json().access, /^[\w-]{43}$/)
    })
  })

  test(`what a provider answered is good once and in one browser (${engine})`, async (t) => {
    const { server, provider } = await start(t, engine)
    provider.person = { sub: '1', email: 'ada@example.org', email_verified: true }

    await t.test('the answer replayed, also twice at once, is refused', async () => {
      const browser = openBrowser(server)
      const answer = await provider.visit(await browser.start())
      const fragments = await Promise.all([browser.comeBack(answer), browser.comeBack(answer)])
      const codes = fragments.filter((fragment) => fragment.has('provider_code'))
      assert.equal(codes.length, 1)
      assert.equal((await browser.comeBack(answer)).get('provider_error'), FAILED)
    })

    await t.test('another browser can do nothing with it', async () => {
      const answer = await provider.visit(await openBrowser(server).start())
      assert.equal((await openBrowser(server).comeBack(answer)).get('provider_error'), FAILED)
    })

    await t.test('the one-time code is good once, also when sent twice at once', async () => {
      const browser = openBrowser(server)
      const fragment = await browser.comeBack(await provider.visit(await browser.start()))
      const code = fragment.get('provider_code')
      const answers = await Promise.all([browser.finish(code), browser.finish(code)])
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 400],
      )
      assert.equal((await browser.finish(code)).status, 400)
    })

    await t.test('the one-time code is worth nothing in another browser, and is not used up there', async () => {
      const browser = openBrowser(server)
      const fragment = await browser.comeBack(await provider.visit(await browser.start()))
      const code = fragment.get('provider_code')
      const stranger = openBrowser(server)
      assert.equal((await stranger.finish(code)).body.code, FAILED)
      await stranger.comeBack(await provider.visit(await stranger.start()))
      assert.equal((await stranger.finish(code)).body.code, FAILED)
      assert.equal((await browser.finish(code)).status, 200)
    })

    await t.test('a code that was made for another start is refused (PKCE)', async () => {
      const browser = openBrowser(server)
      const mine = new URL(await browser.start())
      const other = new URL(await provider.visit(await browser.start()))
      other.searchParams.set('state', mine.searchParams.get('state') ?? '')
      assert.equal((await browser.comeBack(other.href)).get('provider_error'), FAILED)
    })

    await t.test('an ID token with another nonce is refused', async () => {
      const browser = openBrowser(server)
      const there = new URL(await browser.start())
      there.searchParams.set('nonce', 'another-nonce')
      assert.equal((await browser.comeBack(await provider.visit(there.href))).get('provider_error'), FAILED)
    })

    await t.test('an answer in the name of another issuer is refused (RFC 9207)', async () => {
      const browser = openBrowser(server)
      const answer = new URL(await provider.visit(await browser.start()))
      answer.searchParams.set('iss', 'https://evil.example')
      assert.equal((await browser.comeBack(answer.href)).get('provider_error'), FAILED)
    })

    await t.test('a refusal by the person or the provider leads back with the failure', async () => {
      const browser = openBrowser(server)
      const state = new URL(await browser.start()).searchParams.get('state')
      const query = new URLSearchParams({ error: 'access_denied', state: state ?? '', iss: provider.issuer })
      const fragment = await browser.comeBack(`${CALLBACK}?${query.toString()}`)
      assert.equal(fragment.get('provider_error'), FAILED)
    })

    await t.test('a start is good for one answer, whatever that was', async () => {
      const browser = openBrowser(server)
      const there = await browser.start()
      const state = new URL(there).searchParams.get('state') ?? ''
      await browser.comeBack(`${CALLBACK}?${new URLSearchParams({ error: 'access_denied', state }).toString()}`)
      assert.equal((await browser.comeBack(await provider.visit(there))).get('provider_error'), FAILED)
    })

    await t.test('hostile answers are refused without a fault', async () => {
      const queries = ['', 'state', 'state=x', `state=${'A'.repeat(43)}&code=x`, 'state=%ff&code=%00', 'code=a&code=b']
      for (const query of queries) {
        const browser = openBrowser(server, '10.1.1.1')
        await browser.start()
        assert.equal((await browser.comeBack(`${CALLBACK}?${query}`)).get('provider_error'), FAILED, query)
      }
      for (const code of [null, '', 'x', 'A'.repeat(43), 'A'.repeat(500)])
        assert.equal((await openBrowser(server, '10.1.1.1').finish(code)).status, 400)
    })

    await t.test('a one-time code lasts 60 seconds', async () => {
      const browser = openBrowser(server)
      const fragment = await browser.comeBack(await provider.visit(await browser.start()))
      server.clock.advance(61_000)
      assert.equal((await browser.finish(fragment.get('provider_code'))).body.code, FAILED)
    })

    await t.test('a start lasts 10 minutes', async () => {
      const browser = openBrowser(server)
      server.clock.stop(Date.now() - 10 * MINUTE)
      const there = await browser.start()
      server.clock.advance(10 * MINUTE)
      // The provider's answer is fresh.
      const answer = await provider.visit(there)
      assert.equal((await browser.comeBack(answer)).get('provider_error'), FAILED)
    })

    await t.test('what has run out is swept away', async () => {
      server.clock.advance(60 * MINUTE)
      await server.sweep()
      for (const table of ['provider_uses', 'provider_entries', 'pending_identities'] as const)
        assert.deepEqual(await server.deps.db.selectFrom(table).selectAll().execute(), [])
    })
  })
}

test('an ID token that ran out is refused, although it is fresh', async (t) => {
  const { server, provider } = await start(t, 'sqlite', { idTokenSeconds: 30 })
  provider.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  const browser = openBrowser(server)
  const answer = await provider.visit(await browser.start())
  server.clock.advance(MINUTE)
  assert.equal((await browser.comeBack(answer)).get('provider_error'), FAILED)
})

test('a provider that keeps e-mail and names at its userinfo endpoint does as well', async (t) => {
  const { server, provider } = await start(t, 'sqlite', { onlyUserinfo: true })
  provider.person = { sub: '1', email: 'ada@example.org', email_verified: true, given_name: 'Ada' }
  const { status, body } = await openBrowser(server).signIn(provider)
  assert.equal(status, 200)
  assert.equal(body.payload.email, 'ada@example.org')
})

test('a provider that cannot be reached is told, and tried again until it is back', async (t) => {
  const { server, provider } = await start(t)
  await provider.close()
  for (let tries = 0; tries < 2; tries += 1) {
    const screen = await openBrowser(server).start()
    assert.equal(screen, '/login#provider_error=provider_unavailable')
  }
  const back = await startIdentityProvider({ port: Number(new URL(provider.issuer).port) })
  t.after(() => back.close())
  back.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  assert.equal((await openBrowser(server).signIn(back)).status, 200)
})

test('the cookies are for this feature alone, and other sites cannot have them sent with requests', async (t) => {
  const { server, provider } = await start(t)
  provider.person = { sub: '1', email: 'ada@example.org', email_verified: true }
  const { headers } = await server.stranger.get('/auth/oidc/start?provider=oidc')
  assert.match(String(headers['set-cookie']), /; Path=\/backend\/api\/v1\/auth\/oidc; .*HttpOnly; SameSite=Lax$/)
  const there = new URL(String(headers.location))
  const asked = Object.fromEntries(there.searchParams)
  assert.equal(asked['code_challenge_method'], 'S256')
  assert.equal(asked['response_type'], 'code')
  assert.equal(asked['redirect_uri'], CALLBACK)
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(asked[name] ?? '', /^[\w-]{43}$/)
})

test('the instance tells which providers there are; without one the calls are not there', async (t) => {
  const { server } = await start(t)
  assert.deepEqual((await server.stranger.get('/instance/')).json().providers, [{ id: 'oidc', name: 'City ID' }])
  assert.equal((await server.stranger.get('/auth/oidc/start?provider=google')).status, 404)
  assert.equal((await server.stranger.get('/auth/oidc/start?provider=other')).status, 400)
  const plain = await startTestServer(t)
  assert.deepEqual((await plain.stranger.get('/instance/')).json().providers, [])
  assert.equal((await plain.stranger.get('/auth/oidc/start?provider=oidc')).status, 404)
  assert.equal((await plain.stranger.post('/google-login/', { token: 'x' })).status, 404)
})

test('no token, code, address or state reaches the log', async (t) => {
  const { server, provider } = await start(t)
  provider.person = { sub: 'sub-of-ada', email: 'ada@example.org', email_verified: true }
  const browser = openBrowser(server)
  const there = new URL(await browser.start())
  const answer = await provider.visit(there.href)
  const fragment = await browser.comeBack(answer)
  await browser.comeBack(answer)
  const code = fragment.get('provider_code') ?? 'none'
  const { body } = await browser.finish(code)
  const log = server.logLines.join('')
  const words = [code, body.token.access, body.token.refresh, new URL(answer).searchParams.get('code') ?? '', 'ada@']
  for (const word of [...words, there.searchParams.get('state') ?? '', 'sub-of-ada', CLIENT_SECRET])
    assert.ok(word && !log.includes(word), word)
})

test('browsers are sent to a provider a hundred times in 15 minutes from one address', async (t) => {
  const { server } = await start(t)
  const begin = async (remoteAddress: string) =>
    (await server.inject({ url: `${API_BASE}/auth/oidc/start?provider=oidc`, remoteAddress })).headers.location
  for (let n = 0; n < 100; n += 1) assert.doesNotMatch(String(await begin('192.0.2.1')), /^\/login/)
  assert.match(String(await begin('192.0.2.1')), /^\/login#.*rate_limited/)
  assert.doesNotMatch(String(await begin('192.0.2.2')), /^\/login/)
})

test('what a page of another site has a browser ask for counts against nobody who looks at it', async (t) => {
  const { server } = await start(t)
  const from = '192.0.2.1'
  const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  const ask = (path: string, headers: Record<string, string> = {}) =>
    server.inject({ url: API_BASE + path, remoteAddress: from, headers })
  const before = await server.deps.db.selectFrom('audit_entries').select('id').execute()
  for (let n = 0; n < 100; n += 1) {
    const { headers } = await ask(`/auth/oidc/callback?n=${n}`, embedded)
    assert.match(String(headers.location), /^\/login#.*provider_login_failed/)
    assert.equal((await ask('/auth/oidc/start?provider=oidc', embedded)).statusCode, 403)
    const missed = await ask('/service-content-servers/get-pdfs/?proofid=PD-1&username=ada', embedded)
    assert.equal(missed.statusCode, n < 60 ? 404 : 429)
  }
  assert.equal((await server.deps.db.selectFrom('audit_entries').select('id').execute()).length, before.length)
  assert.doesNotMatch(String((await ask('/auth/oidc/start?provider=oidc')).headers.location), /^\/login/)
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  for (const headers of [{}, link])
    assert.equal((await ask('/service-content-servers/get-pdfs/?proofid=PD-1&username=ada', headers)).statusCode, 404)
})
