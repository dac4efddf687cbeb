import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { UNKNOWN_DEVICE } from '../../http/device.ts'
import { enterAfterFirstStep } from '../two-factor/service.ts'
import { enableTwoFactor } from '../../testing/two-factor.ts'

const NEW_PASSWORD = 'Another1!'
const CHANGE = '/password/change/'
const body = (old_password = TEST_PASSWORD, new_password = NEW_PASSWORD) => ({ old_password, new_password })

const logIn = async (server: TestServer, username: string, password: string) =>
  (await server.stranger.post('/auth/login/', { username, password })).status

for (const engine of ENGINES) {
  test(`changing the password (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { hasFullPasswordCost: true })

    await t.test('7.7 takes the new one and ends all other sessions, but not this one', async () => {
      const ada = await server.signIn('ada')
      const other = await server.signIn('ada')
      const answer = await ada.post(CHANGE, body())
      assert.equal(answer.status, 200)
      assert.equal(answer.json().detail, 'Password changed successfully')
      assert.equal((await other.get('/user/info')).status, 401)
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: other.refresh })).status, 401)
      assert.equal((await ada.get('/user/info')).status, 200)
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: ada.refresh })).status, 200)
      assert.equal(await logIn(server, 'ada', TEST_PASSWORD), 400)
      assert.equal(await logIn(server, 'ada', NEW_PASSWORD), 200)
    })

    await t.test('is told by mail', async () => {
      const told = (await server.mails()).filter((mail) => /password .* was changed/i.test(mail.subject ?? ''))
      assert.deepEqual(
        told.map((mail) => mail.to?.[0]?.address),
        ['ada@example.org'],
      )
    })

    await t.test('leaves the sessions of others alone', async () => {
      const [bea, cleo] = [await server.signIn('bea'), await server.signIn('cleo')]
      await bea.post(CHANGE, body())
      assert.equal((await cleo.get('/user/info')).status, 200)
    })

    await t.test('is refused with a wrong old password, in the error field, and changes nothing', async () => {
      const dora = await server.signIn('dora')
      const other = await server.signIn('dora')
      const answer = await dora.post(CHANGE, body('Wrong1!'))
      assert.equal(answer.status, 400)
      assert.equal(answer.json().code, 'old_password_wrong')
      assert.equal(answer.json().error, 'The old password is not right.')
      assert.equal(answer.json().detail, answer.json().error)
      assert.equal((await other.get('/user/info')).status, 200)
      assert.equal(await logIn(server, 'dora', TEST_PASSWORD), 200)
    })

    await t.test('5.3 is refused with a weak new one, in the words of the specification', async () => {
      const emma = await server.signIn('emma')
      const words =
        'Password must be at least 6 characters and include an uppercase letter, a digit, and a special character (!@#$%^&*).'
      for (const weak of ['Ab1!x', 'abcd1!', 'Abcde!', 'Abcde1', '']) {
        const answer = await emma.post(CHANGE, body(TEST_PASSWORD, weak))
        assert.equal(answer.status, 400)
        assert.equal(answer.json().error, words)
        assert.deepEqual(answer.json().new_password, [words])
      }
      for (const broken of [{}, { old_password: 'x' }, { old_password: 1, new_password: 2 }])
        assert.equal((await emma.post(CHANGE, broken)).status, 400)
      assert.equal(typeof (await emma.post(CHANGE, '{')).json().error, 'string')
    })

    await t.test('wins once when two change it at once', async () => {
      const fay = await server.signIn('fay')
      const both = await Promise.all(['First1!', 'Second1!'].map((next) => fay.post(CHANGE, body(TEST_PASSWORD, next))))
      assert.deepEqual(
        both.map((answer) => answer.status).toSorted((a, b) => a - b),
        [200, 400],
      )
      const winner = both[0]?.status === 200 ? 'First1!' : 'Second1!'
      assert.equal(await logIn(server, 'fay', winner), 200)
    })

    await t.test('lets nobody in whose old password was being looked at meanwhile', async () => {
      const gina = await server.signIn('gina')
      const slow = ['a', 'b', 'c', 'd', 'e', 'f'].map(() =>
        server.stranger.post('/auth/login/', { username: 'gina', password: TEST_PASSWORD }),
      )
      const changed = await gina.post(CHANGE, body())
      assert.equal(changed.status, 200)
      for (const answer of await Promise.all(slow)) {
        if (answer.status !== 200) continue
        const { access } = answer.json()
        const info = await server.stranger.get('/user/info', { authorization: `Bearer ${access}` })
        assert.equal(info.status, 401)
      }
    })

    await t.test('refuses a sign-in whose password was right until a moment ago', async () => {
      const goldie = await server.signIn('goldie')
      const { id } = (await goldie.get('/user/info')).json()
      const users = server.deps.db.selectFrom('users').select('password_hash').where('id', '=', id)
      const { password_hash } = await users.executeTakeFirstOrThrow()
      await goldie.post(CHANGE, body())
      const step = { userId: id, from: { address: '127.0.0.1', agent: '', device: UNKNOWN_DEVICE } }
      assert.equal(await enterAfterFirstStep(server.deps, { ...step, passwordHash: password_hash ?? '' }), undefined)
      assert.ok(await enterAfterFirstStep(server.deps, step))
    })

    await t.test('keeps two-factor on', async () => {
      const hana = await server.signIn('hana')
      await enableTwoFactor(hana, server.clock)
      assert.equal((await hana.post(CHANGE, body())).status, 200)
      const answer = await server.stranger.post('/auth/login/', { username: 'hana', password: NEW_PASSWORD })
      assert.equal(answer.json().gfa_is_enabled, true)
    })

    await t.test('counts guesses like signing in: 10 per account and address', async () => {
      await server.createUser({ username: 'iris' })
      const iris = await server.signIn('iris')
      for (let tries = 0; tries < 10; tries += 1) assert.equal((await iris.post(CHANGE, body('Wrong1!'))).status, 400)
      const refused = await iris.post(CHANGE, body())
      assert.equal(refused.status, 429)
      assert.equal(typeof refused.json().error, 'string')
      assert.equal(await logIn(server, 'iris', TEST_PASSWORD), 429)
    })

    await t.test('is for signed-in people', async () => {
      assert.equal((await server.stranger.post(CHANGE, body())).status, 401)
    })
  })
}
