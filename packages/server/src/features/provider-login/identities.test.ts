import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestClient, type TestServer } from '../../testing.ts'
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '../../testing/identity-provider.ts'
import { openBrowser, type ProviderBrowser } from '../../testing/provider-browser.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const MINUTE = 60_000
const JOIN = '/auth/oidc/join/'

async function start(t: Parameters<typeof startTestServer>[0], engine: (typeof ENGINES)[number]) {
  const provider = await startIdentityProvider()
  t.after(() => provider.close())
  const { issuer } = provider
  const settings = { id: 'oidc', name: 'City ID', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } as const
  const server = await startTestServer(t, engine, {
    hasFullPasswordCost: true,
    config: {
      identityProviders: [
        { ...settings, issuer, hasButton: true },
        { ...settings, id: 'google', name: 'Google', issuer: 'https://accounts.google.com', hasButton: true },
      ],
    },
  })
  /** Somebody at the provider with a verified address. */
  const be = (sub: string, email: string) => {
    provider.person = { sub, email, email_verified: true }
  }
  return { server, provider, be }
}

async function takeMailedToken(server: TestServer, address: string): Promise<string | undefined> {
  const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === address)
  const mail = mails.findLast(({ text }) => text?.includes('/join-provider/'))
  return mail && findToken(mail, 'join-provider')
}

async function countSubjects(server: TestServer, address: string, subject: RegExp): Promise<number> {
  const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === address)
  return mails.filter((mail) => subject.test(mail.subject ?? '')).length
}

for (const engine of ENGINES) {
  test(`a provider's person is known by issuer and subject (${engine})`, async (t) => {
    const { server, provider, be } = await start(t, engine)
    const join = (browser: ProviderBrowser, code: string | null, password: string, otp?: string) =>
      browser.post(JOIN, { code, password, ...(otp && { otp }) })

    await t.test('two subjects with one e-mail are never the same account', async () => {
      be('first', 'shared@example.org')
      const first = await openBrowser(server).signIn(provider)
      assert.equal(first.status, 200)
      be('second', 'shared@example.org')
      const fragment = await openBrowser(server).visit(provider)
      assert.equal(fragment.get('provider_error'), 'provider_account_taken')
      assert.equal(fragment.get('provider_code') ?? fragment.get('provider_join'), null)
    })

    await t.test('a known subject signs in whatever its e-mail says by now', async () => {
      be('mover', 'before@example.org')
      const before = await openBrowser(server).signIn(provider)
      await server.createUser({ username: 'victim', email: 'victim@example.org' })
      provider.person = { sub: 'mover', email: 'victim@example.org', email_verified: false }
      const after = await openBrowser(server).signIn(provider)
      assert.equal(after.body.user_id, before.body.user_id)
      assert.equal(after.body.payload.email, 'before@example.org')
    })

    await t.test(
      'an account with that e-mail is joined by its password only, once, and its owner is told',
      async () => {
        const elsewhere = await server.signIn('ada')
        const ada = (await elsewhere.get('/user/info')).json()
        be('ada', 'ada@example.org')
        const browser = openBrowser(server)
        const code = (await browser.visit(provider)).get('provider_join')
        assert.equal((await browser.finish(code)).status, 400, 'it is no code to sign in with')
        assert.equal((await join(browser, code, 'Wrong1!')).body.code, 'password_wrong')
        assert.equal((await join(openBrowser(server), code, TEST_PASSWORD)).body.code, 'provider_join_ended')
        const answers = await Promise.all([join(browser, code, TEST_PASSWORD), join(browser, code, TEST_PASSWORD)])
        assert.deepEqual(
          answers.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 400],
        )
        assert.equal((await elsewhere.get('/user/info')).status, 401, 'all other sessions end')
        assert.equal((await openBrowser(server).signIn(provider)).body.user_id, ada.id)
        assert.equal(await countSubjects(server, 'ada@example.org', /was linked/), 1)
      },
    )

    await t.test('with two-factor on the password links nothing without a code', async () => {
      const app = await enableTwoFactor(await server.signIn('bea'), server.clock)
      const login = await server.stranger.post('/auth/login/', { username: 'bea', password: TEST_PASSWORD })
      be('bea', 'bea@example.org')
      const browser = openBrowser(server)
      const code = (await browser.visit(provider)).get('provider_join')
      assert.equal((await join(browser, code, TEST_PASSWORD)).body.code, 'two_factor_code_missing')
      assert.equal((await join(browser, code, TEST_PASSWORD, '000000')).body.code, 'two_factor_code_wrong')
      assert.ok((await openBrowser(server).visit(provider)).get('provider_join'), 'still not linked')
      const joined = await join(browser, code, TEST_PASSWORD, app.code(1))
      assert.equal(joined.status, 200, JSON.stringify(joined.body))
      assert.match(joined.body.access, /^[\w-]{43}$/)
      // A sign-in that waited for its code has ended.
      const late = await server.stranger.post('/g2fa/gfa_verify/', { ...login.json(), otp: app.recoveryCodes[0] })
      assert.equal(late.json().code, 'two_factor_challenge_ended')
    })

    await t.test('or by a mailed link, which works once, for an hour and signs nobody in', async () => {
      const elsewhere = await server.signIn('cleo')
      const cleo = (await elsewhere.get('/user/info')).json()
      be('cleo', 'cleo@example.org')
      const browser = openBrowser(server)
      const code = (await browser.visit(provider)).get('provider_join')
      const asked = await Promise.all([1, 2].map(() => browser.post('/auth/oidc/join/mail/', { code })))
      assert.deepEqual(
        asked.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 400],
      )
      assert.equal((await join(browser, code, TEST_PASSWORD)).body.code, 'provider_join_ended')
      const token = await takeMailedToken(server, 'cleo@example.org')
      const outbox = JSON.stringify(await server.deps.db.selectFrom('outbox').selectAll().execute())
      assert.ok(token && !outbox.includes(token))
      const confirm = () => server.stranger.post('/auth/oidc/join/confirm/', { token })
      const both = await Promise.all([confirm(), confirm()])
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 400],
      )
      assert.deepEqual(Object.keys(both.find(({ status }) => status === 200)?.json()), ['detail', 'username'])
      assert.equal((await elsewhere.get('/user/info')).status, 401, 'all other sessions end')
      assert.equal((await openBrowser(server).signIn(provider)).body.user_id, cleo.id)
    })

    await t.test('an offer ends when the e-mail is another one or no longer verified', async () => {
      await server.createUser({ username: 'dora' })
      be('dora', 'dora@example.org')
      const browser = openBrowser(server)
      const code = (await browser.visit(provider)).get('provider_join')
      await server.deps.db.updateTable('users').set({ is_email_verified: 0 }).where('username', '=', 'dora').execute()
      assert.equal((await join(browser, code, TEST_PASSWORD)).body.code, 'provider_account_unverified')
    })

    await t.test('no link is promised for an address that somebody else confirmed by hand', async () => {
      await server.createUser({ username: 'finn' })
      be('finn', 'finn@example.org')
      const browser = openBrowser(server)
      const code = (await browser.visit(provider)).get('provider_join')
      await server.deps.db.updateTable('users').set({ verified_email: null }).where('username', '=', 'finn').execute()
      const asked = await browser.post('/auth/oidc/join/mail/', { code })
      assert.deepEqual([asked.status, asked.body.code], [400, 'provider_account_unverified'])
      assert.equal(await takeMailedToken(server, 'finn@example.org'), undefined)
      assert.equal((await join(browser, code, TEST_PASSWORD)).status, 200, 'the password still joins it')
    })

    await t.test('an offer lasts 10 minutes, a mailed link an hour', async () => {
      await server.createUser({ username: 'emma' })
      be('emma', 'emma@example.org')
      const [slow, mailed] = [openBrowser(server), openBrowser(server)]
      const codes = [
        (await slow.visit(provider)).get('provider_join'),
        (await mailed.visit(provider)).get('provider_join'),
      ]
      await mailed.post('/auth/oidc/join/mail/', { code: codes[1] })
      const token = await takeMailedToken(server, 'emma@example.org')
      server.clock.advance(10 * MINUTE)
      assert.equal((await join(slow, codes[0] ?? '', TEST_PASSWORD)).body.code, 'provider_join_ended')
      server.clock.advance(50 * MINUTE)
      assert.equal((await server.stranger.post('/auth/oidc/join/confirm/', { token })).status, 400)
      server.clock.advance(-60 * MINUTE)
    })

    await t.test('two people at once with one new address never share an account', async () => {
      be('twin one', 'twins@example.org')
      const one = openBrowser(server)
      const first = await provider.visit(await one.start())
      be('twin two', 'twins@example.org')
      const two = openBrowser(server)
      const second = await provider.visit(await two.start())
      const fragments = await Promise.all([one.comeBack(first), two.comeBack(second)])
      assert.equal(fragments.filter((fragment) => fragment.has('provider_code')).length, 1)
    })
  })

  test(`linked providers (${engine})`, async (t) => {
    const { server, provider, be } = await start(t, engine)
    const listIds = async (person: TestClient): Promise<number[]> =>
      (await person.get('/profile/identities/')).json().results.map(({ id }: { id: number }) => id)
    const asPerson = async (browser: ProviderBrowser) => {
      const { body } = await browser.signIn(provider)
      return { person: server.as(body.token), access: body.token.access as string }
    }

    const begin = async (browser: ProviderBrowser, person: TestClient) => {
      const { id } = (await person.get('/user/info')).json() as { id: number }
      return (await browser.visit(provider, 'link', id)).get('provider_code')
    }

    await t.test('a signed-in person links and unlinks one, and is told by mail', async () => {
      const ada = await server.signIn('ada')
      be('ada', 'ada@city.example')
      const browser = openBrowser(server)
      const code = await begin(browser, ada)
      assert.equal((await browser.post('/auth/oidc/link/', { code })).status, 401)
      const made = await browser.post('/auth/oidc/link/', { code }, ada.access)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      assert.deepEqual(
        { ...made.body, id: 1, linked_at: '' },
        { id: 1, provider: 'oidc', name: 'City ID', is_offered: true, email: 'ada@city.example', linked_at: '' },
      )
      assert.equal((await openBrowser(server).signIn(provider)).body.payload.username, 'ada')
      const [id] = await listIds(ada)
      const mallory = await server.signIn('mallory')
      assert.equal((await mallory.delete(`/profile/identities/${id}/`)).status, 404)
      assert.equal((await ada.delete(`/profile/identities/${id}/`)).status, 200)
      assert.equal((await openBrowser(server).signIn(provider)).body.payload.username === 'ada', false)
      assert.equal(await countSubjects(server, 'ada@example.org', /was linked/), 1)
      assert.equal(await countSubjects(server, 'ada@example.org', /was unlinked/), 1)
    })

    await t.test('9.39 linking and unlinking need a recent sign-in', async () => {
      const bea = await server.signIn('bea')
      await server.deps.db.updateTable('sessions').set({ confirmed_at: 1 }).execute()
      be('bea', 'bea@city.example')
      const browser = openBrowser(server)
      const code = await begin(browser, bea)
      const refused = await browser.post('/auth/oidc/link/', { code }, bea.access)
      assert.deepEqual([refused.status, refused.body.code], [403, 'confirm_identity'])
      const confirmed = await bea.post('/auth/confirm/', { password: TEST_PASSWORD })
      assert.equal(confirmed.status, 200, confirmed.body)
      // The refusal used nothing up.
      assert.equal((await browser.post('/auth/oidc/link/', { code }, bea.access)).status, 201)
    })

    await t.test('9.39 a link waits 10 minutes for who has to confirm first, also by a provider', async () => {
      const lea = await server.signIn('lea')
      const linkAfter = async (minutes: number) => {
        be('lea', 'lea@city.example')
        const browser = openBrowser(server)
        const code = await begin(browser, lea)
        be('other', 'other@example.org')
        assert.equal((await browser.signIn(provider)).status, 200)
        server.clock.advance(minutes * MINUTE)
        const linked = await browser.post('/auth/oidc/link/', { code }, lea.access)
        server.clock.advance(-minutes * MINUTE)
        return linked
      }
      assert.equal((await linkAfter(10)).body.code, 'provider_login_failed')
      assert.equal((await linkAfter(9)).status, 201)
    })

    await t.test('9.39 a link that one person began is finished by nobody else', async () => {
      const [mia, noa] = [await server.signIn('mia'), await server.signIn('noa')]
      be('mia', 'mia@city.example')
      const browser = openBrowser(server)
      const code = await begin(browser, mia)
      assert.equal((await browser.post('/auth/oidc/link/', { code }, noa.access)).body.code, 'provider_login_failed')
      // It is still good for whoever began it.
      assert.equal((await browser.post('/auth/oidc/link/', { code }, mia.access)).status, 201)
      assert.match(await browser.start('oidc', 'link'), /#provider_error=provider_login_failed$/)
    })

    await t.test('one person at the provider is one account, and the other way round', async () => {
      const [cleo, dora] = [await server.signIn('cleo'), await server.signIn('dora')]
      const link = async (person: TestClient) => {
        const browser = openBrowser(server)
        const code = await begin(browser, person)
        return browser.post('/auth/oidc/link/', { code }, person.access)
      }
      be('cleo', 'cleo@city.example')
      assert.equal((await link(cleo)).status, 201)
      assert.equal((await link(dora)).body.code, 'provider_identity_taken')
      be('cleo again', 'cleo@city.example')
      assert.equal((await link(cleo)).body.code, 'provider_account_taken')
    })

    await t.test('9.39 the last way in stays; a password set by a reset is one', async () => {
      be('emma', 'emma@example.org')
      const { person } = await asPerson(openBrowser(server))
      const [id] = await listIds(person)
      const refused = await person.delete(`/profile/identities/${id}/`)
      assert.deepEqual([refused.status, refused.json().code], [409, 'last_way_in'])
      assert.deepEqual(await listIds(person), [id])
      await server.stranger.post('/password/reset/', { email: 'emma@example.org' })
      const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === 'emma@example.org')
      const token = findToken(mails.at(-1), 'reset-password')
      await server.stranger.post('/password/reset/confirm/', { token, new_password: TEST_PASSWORD })
      const emma = await server.signIn('emma')
      assert.equal((await emma.delete(`/profile/identities/${id}/`)).status, 200)
    })

    await t.test('9.39 a provider that is not configured any more is no way in', async () => {
      be('ines', 'ines@example.org')
      const { person } = await asPerson(openBrowser(server))
      const { user_id } = await server.deps.db
        .selectFrom('identities')
        .select('user_id')
        .where('subject', '=', 'ines')
        .executeTakeFirstOrThrow()
      const gone = { subject: 'ines', email: 'ines@gone.example', linked_at: 1, user_id }
      await server.deps.db
        .insertInto('identities')
        .values([
          { ...gone, provider: 'google', issuer: 'https://gone.example' },
          // The same name for another issuer.
          { ...gone, provider: 'oidc', issuer: 'https://before.example' },
        ])
        .execute()
      const shown = (await person.get('/profile/identities/')).json().results
      assert.deepEqual(
        shown.map(({ name, is_offered }: { name: string; is_offered: boolean }) => [name, is_offered]),
        [
          ['City ID', true],
          ['gone.example', false],
          ['before.example', false],
        ],
      )
      const ways = (await person.get('/auth/confirm/')).json()
      assert.deepEqual(ways.providers, [{ id: 'oidc', name: 'City ID' }])
      const [first, ...others] = await listIds(person)
      assert.equal((await person.delete(`/profile/identities/${first}/`)).json().code, 'last_way_in')
      for (const id of others) assert.equal((await person.delete(`/profile/identities/${id}/`)).status, 200)
      assert.deepEqual(await listIds(person), [first])
    })

    await t.test('9.39 of two unlinked at once by somebody without a password one stays', async () => {
      be('jo', 'jo@example.org')
      const { person } = await asPerson(openBrowser(server))
      const { id, ...row } = await server.deps.db
        .selectFrom('identities')
        .selectAll()
        .where('subject', '=', 'jo')
        .executeTakeFirstOrThrow()
      // Google under its name without a scheme, as its tokens may have it.
      const google = { ...row, provider: 'google' as const, issuer: 'accounts.google.com' }
      await server.deps.db.insertInto('identities').values(google).execute()
      const ids = await listIds(person)
      assert.deepEqual([ids.length, ids.includes(id)], [2, true])
      const ways = (await person.get('/auth/confirm/')).json().providers
      assert.deepEqual(
        ways.map((way: { id: string }) => way.id),
        ['oidc', 'google'],
      )
      const answers = await Promise.all(ids.map((each) => person.delete(`/profile/identities/${each}/`)))
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((one, other) => one - other),
        [200, 409],
      )
      assert.equal((await listIds(person)).length, 1)
    })

    await t.test(
      '9.39 linking and unlinking end all other sessions, and a sign-in that waits for its code',
      async () => {
        const kim = await server.signIn('kim')
        const app = await enableTwoFactor(kim, server.clock)
        const enter = async (steps: number) => {
          const login = await server.stranger.post('/auth/login/', { username: 'kim', password: TEST_PASSWORD })
          const { user_id, challenge } = login.json()
          const entry = await server.stranger.post('/g2fa/gfa_verify/', { user_id, challenge, otp: app.code(steps) })
          assert.equal(entry.status, 200, entry.body)
          return server.as(entry.json())
        }
        const beforeLink = await enter(1)
        const login = await server.stranger.post('/auth/login/', { username: 'kim', password: TEST_PASSWORD })
        const half = login.json()
        be('kim', 'kim@city.example')
        const browser = openBrowser(server)
        const code = await begin(browser, kim)
        assert.equal((await browser.post('/auth/oidc/link/', { code }, kim.access)).status, 201)
        assert.equal((await beforeLink.get('/user/info')).status, 401)
        assert.equal((await kim.get('/user/info')).status, 200)
        const finish = ({ user_id, challenge }: { user_id: number; challenge: string }) =>
          server.stranger.post('/g2fa/gfa_verify/', { user_id, challenge, otp: app.code(1) })

        server.clock.advance(2 * MINUTE)
        assert.equal((await finish(half)).json().code, 'two_factor_challenge_ended')
        const beforeUnlink = await enter(0)
        const waiting = (await openBrowser(server).signIn(provider)).body
        assert.equal(waiting.gfa_is_enabled, true)
        const there = openBrowser(server)
        const unfinished = (await there.visit(provider)).get('provider_code')
        be('lou', 'lou@example.org')
        const elsewhere = openBrowser(server)
        const ofAnother = (await elsewhere.visit(provider)).get('provider_code')
        const [id] = await listIds(kim)
        assert.equal((await kim.delete(`/profile/identities/${id}/`)).status, 200)
        assert.equal((await beforeUnlink.get('/user/info')).status, 401)
        assert.equal((await kim.get('/user/info')).status, 200)
        assert.equal((await finish(waiting)).json().code, 'two_factor_challenge_ended')
        assert.equal((await there.finish(unfinished)).body.code, 'provider_login_failed')
        assert.equal((await elsewhere.finish(ofAnother)).status, 200)
        server.clock.advance(-2 * MINUTE)
      },
    )

    await t.test('who has no password confirms by the provider, as nobody else and in one browser', async () => {
      be('fay', 'fay@example.org')
      const browser = openBrowser(server)
      const { person, access } = await asPerson(browser)
      assert.deepEqual((await person.get('/auth/confirm/')).json(), {
        has_password: false,
        gfa_is_enabled: false,
        providers: [{ id: 'oidc', name: 'City ID' }],
      })
      await server.deps.db.updateTable('sessions').set({ confirmed_at: 1 }).execute()
      const change = () => person.patch('/profile/update_profile/', { email: 'fay2@example.org' })
      assert.equal((await change()).json().code, 'confirm_identity')
      const signInCode = (await browser.visit(provider)).get('provider_code')
      const confirm = (provider_code: string | null, from = browser) =>
        from.post('/auth/confirm/', { provider_code }, access)
      assert.equal((await confirm(signInCode)).body.code, 'provider_login_failed', 'a code to sign in is none')
      // They are to sign in there anew.
      assert.equal(new URL(await browser.start('oidc', 'confirm')).searchParams.get('max_age'), '0')
      be('gina', 'gina@example.org')
      assert.equal((await browser.visit(provider, 'confirm')).get('provider_error'), 'provider_identity_unknown')
      await openBrowser(server).signIn(provider)
      const foreign = (await browser.visit(provider, 'confirm')).get('provider_code')
      assert.equal((await confirm(foreign)).body.code, 'provider_login_failed')
      be('fay', 'fay@example.org')
      const code = (await browser.visit(provider, 'confirm')).get('provider_code')
      assert.equal((await browser.finish(code)).status, 400, 'a code to confirm with signs nobody in')
      assert.equal((await confirm(code, openBrowser(server))).status, 400)
      assert.equal((await confirm(code)).status, 200)
      assert.equal((await confirm(code)).status, 400)
      assert.equal((await change()).status, 200)
    })

    await t.test('taking a changed e-mail back unlinks what was linked since', async () => {
      const hana = await server.signIn('hana')
      await hana.patch('/profile/update_profile/', { email: 'thief@example.org' })
      be('thief', 'thief@city.example')
      const browser = openBrowser(server)
      const code = await begin(browser, hana)
      assert.equal((await browser.post('/auth/oidc/link/', { code }, hana.access)).status, 201)
      const mails = (await server.mails()).filter((mail) => mail.to?.[0]?.address === 'hana@example.org')
      const token = findToken(
        mails.find(({ text }) => text?.includes('/undo-email/')),
        'undo-email',
      )
      assert.equal((await server.stranger.post('/auth/undo-email/', { token })).status, 200)
      assert.deepEqual(await listIds(await server.signIn('hana')), [])
    })
  })
}
