import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserInfo } from '@proofdesk/contract/users'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestClient, type TestServer } from '../../testing.ts'
import { updateFlag } from '../users/accounts/queries.ts'

async function signInWithInfo(server: TestServer, username: string, isSuperuser = false) {
  const client = await server.signIn(username, { is_superuser: isSuperuser })
  return { client, info: (await client.get('/user/info')).json() as UserInfo }
}

function deactivate(client: TestClient, { id }: UserInfo) {
  return client.patch(`/admin/users/${id}/`, { is_active: false })
}

async function listActiveSuperusers({ deps: { db } }: TestServer): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .orderBy('username')
    .execute()
  return rows.map((row) => row.username)
}

for (const engine of ENGINES) {
  test(`deactivating (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await signInWithInfo(server, 'sue', true)

    await t.test('ends all sessions of the person at once, and nobody else’s', async () => {
      const phone = await signInWithInfo(server, 'ada')
      const desk = await server.signIn('ada')
      const eve = await server.signIn('eve')
      assert.equal((await deactivate(sue.client, phone.info)).status, 200)
      for (const client of [phone.client, desk]) {
        assert.equal((await client.get('/user/info')).status, 401)
        assert.equal((await server.stranger.post('/token/refresh/', { refresh: client.refresh })).status, 401)
      }
      assert.equal((await eve.get('/user/info')).status, 200)
      const signIn = await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })
      assert.equal(signIn.status, 400)
      assert.equal(signIn.json().code, 'wrong_credentials')
    })

    await t.test('ends them for good: who is let in again signs in anew', async () => {
      const { client, info } = await signInWithInfo(server, 'noor')
      assert.equal((await deactivate(sue.client, info)).status, 200)
      assert.equal((await sue.client.patch(`/admin/users/${info.id}/`, { is_active: true })).status, 200)
      assert.equal((await client.get('/user/info')).status, 401)
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: client.refresh })).status, 401)
      const again = await server.stranger.post('/auth/login/', { username: 'noor', password: TEST_PASSWORD })
      assert.equal(again.status, 200)
    })

    await t.test(
      'leaves an address that was never proved no way to be, and its owner the way to take it back',
      async () => {
        const { client, info } = await signInWithInfo(server, 'ruth')
        await client.patch('/profile/update_profile/', { email: 'evil@example.org' })
        const findNewest = async (address: string, path: string) =>
          findToken(
            (await server.mails()).findLast(({ to }) => to?.[0]?.address === address),
            path,
          )
        const verification = await findNewest('evil@example.org', 'verify-email')
        const undo = await findNewest('ruth@example.org', 'undo-email')
        assert.equal((await deactivate(sue.client, info)).status, 200)
        const verify = () => server.stranger.post('/auth/verify-email/', { token: verification })
        assert.equal((await verify()).json().code, 'link_invalid')
        assert.equal((await server.stranger.post('/auth/undo-email/', { token: undo })).status, 200)
        assert.equal((await sue.client.patch(`/admin/users/${info.id}/`, { is_active: true })).status, 200)
        assert.equal((await verify()).json().code, 'link_invalid')
        const { email, is_email_verified } = (await (await server.signIn('ruth')).get('/user/info')).json()
        assert.deepEqual([email, is_email_verified], ['ruth@example.org', true])
      },
    )

    await t.test('and saying of somebody who is let in that they are ends nothing', async () => {
      const { client, info } = await signInWithInfo(server, 'olga')
      assert.equal((await sue.client.patch(`/admin/users/${info.id}/`, { is_active: true })).status, 200)
      assert.equal((await client.get('/user/info')).status, 200)
    })

    await t.test('a link that was mailed before proves nothing either', async () => {
      await server.stranger.post('/auth/register/', {
        username: 'tess',
        email: 'tess@example.org',
        password: TEST_PASSWORD,
        first_name: 'A',
        last_name: 'B',
        phone_number: '1',
      })
      const token = findToken((await server.mails()).at(-1), 'verify-email')
      const tess = await signInWithInfo(server, 'tess')
      assert.equal((await deactivate(sue.client, tess.info)).status, 200)
      assert.equal((await server.stranger.post('/auth/verify-email/', { token })).json().code, 'link_invalid')
    })

    await t.test('and ending the sessions happen together or not at all', async () => {
      const { client, info } = await signInWithInfo(server, 'grace')
      const rename = (from: string, to: string) => server.deps.db.schema.alterTable(from).renameTo(to).execute()
      // What waits for a code is ended after the sessions are.
      await rename('challenges', 'challenges_away')
      assert.equal((await deactivate(sue.client, info)).status, 500)
      await rename('challenges_away', 'challenges')
      assert.equal((await client.get('/user/info')).status, 200)
    })

    await t.test('while a token is renewed leaves no session behind', async () => {
      const { client, info } = await signInWithInfo(server, 'joan')
      const [, renewed] = await Promise.all([
        deactivate(sue.client, info),
        server.stranger.post('/token/refresh/', { refresh: client.refresh }),
      ])
      assert.ok([200, 401].includes(renewed.status))
      const { db } = server.deps
      assert.deepEqual(await db.selectFrom('sessions').selectAll().where('user_id', '=', info.id).execute(), [])
    })

    await t.test('never takes the last active superuser, whoever asks for it', async () => {
      assert.deepEqual(await listActiveSuperusers(server), ['sue'])
      const change = { flag: 'is_active', value: false } as const
      assert.equal(await updateFlag(server.deps.db, sue.info.id, change), undefined)
      assert.deepEqual(await listActiveSuperusers(server), ['sue'])
    })

    await t.test('each other at once: of two superusers one stays', async () => {
      const kim = await signInWithInfo(server, 'kim', true)
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all([deactivate(sue.client, kim.info), deactivate(kim.client, sue.info)])
        const statuses = answers.map((answer) => answer.status)
        assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
        assert.ok(statuses.includes(401), statuses.join())
        const [stays, ...others] = await listActiveSuperusers(server)
        assert.deepEqual(others, [])
        const [winner, loser] = stays === 'sue' ? [sue, kim] : [kim, sue]
        assert.equal((await winner.client.patch(`/admin/users/${loser.info.id}/`, { is_active: true })).status, 200)
        loser.client = await server.signIn(loser.info.username)
      }
    })

    await t.test('in a ring of three leaves at least one', async () => {
      const ring = [sue, await signInWithInfo(server, 'kim'), await signInWithInfo(server, 'lea', true)]
      const answers = await Promise.all(
        ring.map(({ client }, index) => deactivate(client, ring[(index + 1) % ring.length]?.info ?? sue.info)),
      )
      const stay = await listActiveSuperusers(server)
      assert.equal(stay.length, 3 - answers.filter((answer) => answer.status === 200).length)
      assert.ok(stay.length > 0)
    })
  })
}
