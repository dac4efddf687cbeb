import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'
import { replaceEmail } from '../users/queries.ts'

const INFO = '/profile/info/'
const UPDATE = '/profile/update_profile/'

const mailsTo = async (server: TestServer, address: string) =>
  (await server.mails()).filter((mail) => mail.to?.[0]?.address === address)

for (const engine of ENGINES) {
  test(`the profile (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)

    await t.test('7.12 shows the fields of the specification', async () => {
      const ada = await server.signIn('ada')
      assert.deepEqual((await ada.get(INFO)).json(), {
        username: 'ada',
        email: 'ada@example.org',
        first_name: 'Test',
        last_name: 'Person',
        phone_number: '+44 20 7946 0000',
        birthdate: null,
        gfa_is_enabled: false,
        is_email_verified: true,
      })
      assert.equal((await server.stranger.get(INFO)).status, 401)
      assert.equal((await server.stranger.patch(UPDATE, { first_name: 'x' })).status, 401)
    })

    await t.test('5.9 changes what is sent, takes null and nothing as empty, and leaves the rest', async () => {
      const bea = await server.signIn('bea')
      const answer = await bea.patch(UPDATE, {
        email: 'bea@example.org',
        first_name: ' Béatrice ',
        last_name: null,
        phone_number: '',
        birthdate: '1990-02-28',
      })
      assert.equal(answer.status, 200)
      const profile = answer.json()
      assert.equal(profile.first_name, 'Béatrice')
      assert.equal(profile.last_name, null)
      assert.equal(profile.phone_number, null)
      assert.equal(profile.birthdate, '1990-02-28')
      assert.equal(profile.is_email_verified, true)
      assert.deepEqual((await bea.patch(UPDATE, { last_name: 'Berg' })).json(), { ...profile, last_name: 'Berg' })
      assert.equal((await bea.patch(UPDATE, { birthdate: null })).json().birthdate, null)
      assert.equal((await bea.patch(UPDATE, {})).status, 200)
      assert.deepEqual(await mailsTo(server, 'bea@example.org'), [])
    })

    await t.test('3.8 the username and the flags cannot be changed', async () => {
      const cleo = await server.signIn('cleo', { verified: false })
      const wished = {
        username: 'root',
        is_staff: true,
        is_superuser: true,
        is_email_verified: true,
        gfa_is_enabled: true,
      }
      const answer = await cleo.patch(UPDATE, { ...wished, first_name: 'Cleo' })
      assert.equal(answer.json().username, 'cleo')
      assert.equal(answer.json().is_email_verified, false)
      assert.equal(answer.json().gfa_is_enabled, false)
      const info = (await cleo.get('/user/info')).json()
      assert.equal(info.is_staff || info.is_superuser, false)
    })

    await t.test('faulty fields are named, and nothing is changed', async () => {
      const dora = await server.signIn('dora')
      const before = (await dora.get(INFO)).json()
      const faulty: [string, unknown][] = [
        ['email', ''],
        ['email', null],
        ['email', 'a@b@c'],
        ['first_name', 'x'.repeat(151)],
        ['last_name', '\u0000'],
        ['phone_number', 'call me'],
        ['birthdate', '2026-02-30'],
        ['birthdate', '2999-01-01'],
        ['birthdate', 5],
      ]
      for (const [field, value] of faulty) {
        const answer = await dora.patch(UPDATE, { first_name: 'Changed', [field]: value })
        assert.equal(answer.status, 400, `${field}: ${JSON.stringify(value)}`)
        assert.ok(Array.isArray(answer.json()[field]), field)
      }
      assert.deepEqual((await dora.get(INFO)).json(), before)
    })

    await t.test('another e-mail is unverified, is mailed a link, and the old address is told', async () => {
      const emma = await server.signIn('emma')
      const answer = await emma.patch(UPDATE, { email: 'new-emma@example.org' })
      assert.equal(answer.status, 200)
      assert.equal(answer.json().email, 'new-emma@example.org')
      assert.equal(answer.json().is_email_verified, false)
      assert.equal((await emma.get('/user/info')).json().is_email_verified, false)
      const told = await mailsTo(server, 'emma@example.org')
      assert.equal(told.length, 1)
      assert.match(told[0]?.subject ?? '', /e-mail address .* was changed/)
      assert.ok(!told[0]?.text?.includes('new-emma'))
      const [mail] = await mailsTo(server, 'new-emma@example.org')
      assert.match(mail?.subject ?? '', /^Verify your new e-mail address/)
      const token = findToken(mail, 'verify-email')
      assert.equal((await server.stranger.post('/auth/verify-email/', { token })).status, 200)
      assert.equal((await emma.get(INFO)).json().is_email_verified, true)
    })

    await t.test('another e-mail ends all other sessions, and a sign-in that waits for its code', async () => {
      server.clock.stop()
      const erin = await server.signIn('erin')
      const app = await enableTwoFactor(erin, server.clock)
      const logIn = async () =>
        (await server.stranger.post('/auth/login/', { username: 'erin', password: TEST_PASSWORD })).json()
      const finish = async ({ user_id, challenge }: { user_id: number; challenge: string }, steps: number) =>
        server.stranger.post('/g2fa/gfa_verify/', { user_id, challenge, otp: app.code(steps) })
      const elsewhere = server.as((await finish(await logIn(), 1)).json())
      assert.equal((await elsewhere.get('/user/info')).status, 200)
      const waiting = await logIn()
      assert.equal((await erin.patch(UPDATE, { email: 'new-erin@example.org' })).status, 200)
      assert.equal((await elsewhere.get('/user/info')).status, 401)
      assert.equal((await finish(waiting, -1)).json().code, 'two_factor_challenge_ended')
      assert.equal((await finish(await logIn(), -1)).status, 200)
    })

    await t.test('whoever goes back to the address where a reset goes is not told that it was changed', async () => {
      const gus = await server.signIn('gus')
      for (const email of ['other-gus@example.org', 'gus@example.org'])
        assert.equal((await gus.patch(UPDATE, { email })).status, 200)
      const subjects = (await mailsTo(server, 'gus@example.org')).map(({ subject }) => subject ?? '')
      assert.equal(subjects.filter((subject) => subject.includes('was changed')).length, 1)
    })

    await t.test('a link that went to the address before proves nothing', async () => {
      const fay = await server.signIn('fay')
      await fay.patch(UPDATE, { email: 'fay-one@example.org' })
      const token = findToken((await mailsTo(server, 'fay-one@example.org'))[0], 'verify-email')
      await fay.patch(UPDATE, { email: 'fay-two@example.org' })
      assert.equal((await server.stranger.post('/auth/verify-email/', { token })).status, 400)
      assert.equal((await fay.get(INFO)).json().is_email_verified, false)
    })

    await t.test(
      'an address somebody has is refused whatever its case; one that is only claimed goes to who proves it',
      async () => {
        const [gina, hana] = [await server.signIn('gina'), await server.signIn('hana')]
        const taken = await gina.patch(UPDATE, { email: 'HANA@example.org', first_name: 'Changed' })
        assert.equal(taken.status, 400)
        assert.deepEqual(taken.json().email, ['A user with that email already exists.'])
        assert.equal((await gina.get(INFO)).json().first_name, 'Test')
        const both = await Promise.all([gina, hana].map((one) => one.patch(UPDATE, { email: 'wanted@example.org' })))
        assert.deepEqual(
          both.map((answer) => answer.status),
          [200, 200],
        )
        const tokens = (await mailsTo(server, 'wanted@example.org')).map((mail) => findToken(mail, 'verify-email'))
        const proofs = await Promise.all(tokens.map((token) => server.stranger.post('/auth/verify-email/', { token })))
        assert.deepEqual(
          proofs.map((answer) => answer.status).toSorted((a, b) => a - b),
          [200, 400],
        )
      },
    )

    await t.test(
      'of two changes of address by one person at once the second comes after the first, or is told of it',
      async () => {
        const ivy = await server.signIn('ivy')
        const answers = await Promise.all([1, 2].map((n) => ivy.patch(UPDATE, { email: `ivy-${n}@example.org` })))
        const refused = answers.filter(({ status }) => status !== 200)
        assert.ok(refused.length < 2)
        for (const answer of refused) assert.equal(answer.json().code, 'profile_changed')
        const { id, email } = (await ivy.get('/user/info')).json()
        assert.match(email, /^ivy-[12]@example\.org$/)
        assert.equal(await replaceEmail(server.deps.db, id, 'ivy@example.org', 'ivy-3@example.org'), false)
        assert.equal((await ivy.get('/user/info')).json().email, email)
      },
    )

    await t.test('of two changes of address at once each is done and told, or refused as a whole', async () => {
      const hugo = await server.signIn('hugo')
      const { id } = (await hugo.get('/user/info')).json()
      const emails = ['h1@example.org', 'h2@example.org']
      const answers = await Promise.all(emails.map((email) => hugo.patch(UPDATE, { email })))
      const done = answers.filter(({ status }) => status === 200)
      for (const [index, answer] of answers.entries())
        if (answer.status === 200) assert.equal(answer.json().email, emails[index])
        else assert.deepEqual([answer.status, answer.json().code], [409, 'profile_changed'])
      assert.ok(done.length > 0)
      const changes = server.deps.db.selectFrom('audit_entries').select('id').where('action', '=', 'email_changed')
      assert.equal((await changes.where('object_id', '=', id).execute()).length, done.length)
    })

    await t.test('changes of address are limited like verification mails', async () => {
      const iris = await server.signIn('iris')
      const { db, now } = server.deps
      const confirmedAt = (at: number) => db.updateTable('sessions').set({ confirmed_at: at }).execute()
      // Those that are refused until their person has confirmed who they are mail nobody, and count for nothing.
      await confirmedAt(1)
      for (const n of [1, 2, 3, 4, 5, 6])
        assert.equal((await iris.patch(UPDATE, { email: `i${n}@example.org` })).status, 403)
      await confirmedAt(now())
      for (const n of [1, 2, 3, 4, 5])
        assert.equal((await iris.patch(UPDATE, { email: `i${n}@example.org` })).status, 200)
      assert.equal((await iris.patch(UPDATE, { email: 'i6@example.org' })).status, 429)
      assert.equal((await iris.patch(UPDATE, { first_name: 'Iris' })).status, 200)
    })
  })
}
