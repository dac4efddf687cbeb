import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { takeRightFromShell } from './service.ts'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { must } from '../../testing/collections.ts'

/** Long enough for a request to have been looked at and to wait for what others hold. */
const LOOK_MS = 300

function readAccount({ deps: { db } }: TestServer, id: number) {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function listSuperusers({ deps: { db } }: TestServer): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', 1)
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

function listEntries({ deps: { db } }: TestServer, action: string) {
  return db.selectFrom('audit_entries').select(['actor_id', 'object_id']).where('action', '=', action).execute()
}

for (const engine of ENGINES) {
  test(`of two superusers who demote each other at once one stays (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    for (let round = 0; round < 4; round += 1) {
      await server.deps.db.updateTable('users').set({ is_superuser: 0 }).execute()
      const names = [`left${round}`, `right${round}`]
      const clients = [
        await server.signIn(names[0] as string, { is_superuser: true }),
        await server.signIn(names[1] as string, { is_superuser: true }),
      ]
      const ids = []
      for (const client of clients) ids.push((await client.get('/user/info')).json().id)
      const answers = await Promise.all([
        clients[0]?.patch(`/admin/users/${ids[1]}/`, { is_superuser: false }),
        clients[1]?.patch(`/admin/users/${ids[0]}/`, { is_superuser: false }),
      ])
      assert.deepEqual(
        answers.map((answer) => answer?.status ?? 0).sort((a, b) => a - b),
        [200, 403],
      )
      assert.equal((await listSuperusers(server)).length, 1)
    }
  })

  test(`who loses a right in the very moment in which they use it has not used it (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    await server.createUser({ username: 'root', is_superuser: true })
    const sue = await server.signIn('sue', { is_superuser: true, is_admin: true })
    const { id: sueId } = (await sue.get('/user/info')).json()
    const { id } = await server.createUser({ username: 'ada' })
    const [holding, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const taking = db.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set({ is_superuser: 0 }).where('id', '=', sueId).execute()
      holding.resolve()
      await release.promise
    })
    await holding.promise
    const answer = sue.patch(`/admin/users/${id}/`, { is_admin: true })
    await setTimeout(LOOK_MS)
    release.resolve()
    await taking
    assert.equal((await answer).status, 403)
    assert.equal((await readAccount(server, id)).is_admin, 0)
  })

  test(`taking rights away from the shell (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const take = (username: string, right: 'is_active' | 'is_superuser') =>
      takeRightFromShell(server.deps, username, right)

    await t.test('ends the sessions of who is deactivated, whatever the state of their e-mail', async () => {
      const ada = await server.signIn('ada', { verified: false, is_staff: true })
      await take('ADA', 'is_active')
      assert.equal((await ada.get('/user/info')).status, 401)
      // For good, also where somebody lets them in again.
      await server.deps.db.updateTable('users').set({ is_active: 1 }).where('username', '=', 'ada').execute()
      assert.equal((await ada.get('/user/info')).status, 401)
      await assert.rejects(take('nobody.here', 'is_active'), { code: 'user_not_found' })
    })

    await t.test('never takes the last active superuser, not even by two commands at once', async () => {
      for (const right of ['is_superuser', 'is_active'] as const) {
        await server.deps.db.updateTable('users').set({ is_superuser: 0 }).execute()
        await server.createUser({ username: `sue.${right}`, is_superuser: true })
        await assert.rejects(take(`sue.${right}`, right), { code: 'last_superuser' })
        for (let round = 0; round < 4; round += 1) {
          await server.deps.db.updateTable('users').set({ is_superuser: 0 }).execute()
          const names = [`left.${right}.${round}`, `right.${right}.${round}`]
          for (const username of names) await server.createUser({ username, is_superuser: true })
          const outcomes = await Promise.allSettled(names.map((username) => take(username, right)))
          assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
          assert.equal((await listSuperusers(server)).length, 1)
        }
      }
    })
  })

  test(`one person as a superuser sees them (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    server.clock.stop(Date.UTC(2027, 0, 1))
    const sue = await server.signIn('sue', { is_superuser: true })
    const ada = await server.signIn('ada')
    const { id } = (await ada.get('/user/info')).json()

    await t.test('shows account, last sign-in, two-factor and sessions, and no secret', async () => {
      const answer = await sue.get(`/admin/users/${id}/`)
      assert.equal(answer.status, 200)
      const person = answer.json()
      assert.deepEqual(
        [person.username, person.recovery_email, person.gfa_is_enabled, person.has_authenticator],
        ['ada', 'ada@example.org', false, false],
      )
      assert.equal(person.last_sign_in_at, new Date(server.clock.now()).toISOString())
      assert.deepEqual(
        person.sessions.map((session: { is_current: boolean }) => session.is_current),
        [false],
      )
      assert.doesNotMatch(answer.body, /hash|token|secret|password/i)
      const { id: own } = (await sue.get('/user/info')).json()
      assert.equal((await sue.get(`/admin/users/${own}/`)).status, 200)
      assert.deepEqual(await listEntries(server, 'person_viewed'), [{ actor_id: own, object_id: id }], 'not of oneself')
    })

    await t.test('ends all their sessions, and nobody else’s', async () => {
      const eve = await server.signIn('eve')
      assert.equal((await eve.post(`/admin/users/${id}/end_sessions/`, {})).status, 403)
      // Where there is none left nothing has happened.
      for (const _ of [1, 2]) assert.equal((await sue.post(`/admin/users/${id}/end_sessions/`, {})).status, 200)
      const entries = server.deps.db.selectFrom('audit_entries').select('object_id')
      assert.deepEqual(await entries.where('action', '=', 'sessions_ended').execute(), [{ object_id: id }])
      assert.equal((await ada.get('/user/info')).status, 401)
      assert.equal((await server.stranger.post('/token/refresh/', { refresh: ada.refresh })).status, 401)
      assert.equal((await eve.get('/user/info')).status, 200)
      const { id: own } = must(await sue.get('/user/info'), 200)
      assert.deepEqual(await listEntries(server, 'sessions_ended'), [{ actor_id: own, object_id: id }])
      assert.equal((await sue.post('/admin/users/999999/end_sessions/', {})).json().code, 'user_not_found')
    })
  })

  test(`an address that is verified by hand (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sue = await server.signIn('sue', { is_superuser: true })
    const sam = await server.signIn('sam', { is_staff: true })
    const { id } = (await sam.get('/user/info')).json()
    assert.equal((await sam.patch('/profile/update_profile/', { email: 'thief@example.net' })).status, 200)
    assert.equal((await sue.patch(`/admin/users/${id}/`, { is_email_verified: true })).status, 200)

    await t.test('never becomes where a reset goes', async () => {
      const account = await readAccount(server, id)
      assert.equal(account.is_email_verified, 1)
      assert.deepEqual(
        [account.recovery_email, account.recovery_email_key, account.verified_email],
        ['sam@example.org', 'sam@example.org', 'sam@example.org'],
      )
      await server.stranger.post('/password/reset/', { email: 'thief@example.net' })
      const resets = (await server.mails()).filter(({ text }) => text?.includes('/reset-password/'))
      assert.deepEqual(
        resets.flatMap(({ to }) => to?.map(({ address }) => address) ?? []),
        ['sam@example.org'],
      )
    })
  })

  test(`without a verified e-mail (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const { id } = (await ada.post('/collections/', { title: 'Degree' })).json()
    const ticket = (await ada.post('/ticket/', { title: 'Lost seal' })).json()
    for (const role of ['is_staff', 'is_admin', 'is_superuser'] as const) {
      await t.test(`who has ${role} reads nothing of others and manages nobody`, async () => {
        const person = await server.signIn(`unverified.${role}`, { verified: false, [role]: true })
        const read = async (path: string) => (await person.get(path)).status
        assert.equal((await person.get('/collections/')).json().count, 0)
        assert.equal((await person.get('/ticket/')).json().count, 0)
        assert.equal((await person.get('/content-servers/')).json().count, 0)
        assert.equal(await read(`/collections/${id}/`), 404)
        assert.equal(await read(`/contents/?collection=${id}`), 404)
        assert.equal(await read(`/comments/?collection=${id}`), 404)
        assert.equal(await read(`/conversation/?ticket_id=${ticket.id}`), 404)
        assert.equal(await read('/admin/users/'), 403)
        assert.equal(await read('/admin/queue/'), 403)
      })
    }

    await t.test('who verifies it has the powers of the role again', async () => {
      const answer = await server.stranger.post('/auth/login/', {
        username: 'unverified.is_staff',
        password: TEST_PASSWORD,
      })
      const authorization = { authorization: `Bearer ${answer.json().access}` }
      await server.deps.db.updateTable('users').set({ is_email_verified: 1 }).execute()
      assert.equal((await server.stranger.get('/collections/', authorization)).json().count, 1)
    })
  })
}
