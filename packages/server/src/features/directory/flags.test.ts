import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserFlag } from '@proofdesk/contract/directory'
import type { UserInfo } from '@proofdesk/contract/users'
import {
  ENGINES,
  startTestServer,
  TEST_PASSWORD,
  type NewTestUser,
  type TestClient,
  type TestServer,
} from '../../testing.ts'

/**
 * Who may set which flag of whom (specification section 6; decisions, Roles). Each cell holds the status of switching
 * the flag off and of switching it on. Two-factor is never on for these accounts, and nobody here has set it up.
 */
const TABLE = `
| viewer               | account         | is_active | gfa_is_enabled | is_email_verified | is_admin | is_staff |
| superuser            | user            | 200 200   | 200 400        | 200 200           | 200 200  | 200 200  |
| superuser            | staff           | 200 200   | 200 400        | 200 200           | 200 200  | 200 200  |
| superuser            | admin           | 200 200   | 200 400        | 200 200           | 200 200  | 200 200  |
| superuser            | superuser       | 200 200   | 200 400        | 200 200           | 200 200  | 200 200  |
| superuser            | deactivated     | 200 200   | 200 400        | 200 200           | 200 200  | 200 200  |
| superuser            | unverified user | 200 403   | 403 403        | 200 200           | 200 403  | 200 403  |
| superuser            | themselves      | 403 200   | 403 403        | 403 200           | 200 200  | 200 200  |
| superuser            | nobody          | 404 404   | 404 404        | 404 404           | 404 404  | 404 404  |
| admin                | user            | 403 403   | 403 403        | 403 403           | 403 403  | 200 200  |
| admin                | staff           | 403 403   | 403 403        | 403 403           | 403 403  | 200 200  |
| admin                | admin           | 403 403   | 403 403        | 403 403           | 403 403  | 200 200  |
| admin                | superuser       | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| admin                | deactivated     | 403 403   | 403 403        | 403 403           | 403 403  | 200 200  |
| admin                | unverified user | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| admin                | themselves      | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| admin                | nobody          | 404 404   | 404 404        | 404 404           | 404 404  | 404 404  |
| unverified superuser | user            | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| unverified superuser | themselves      | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| unverified admin     | user            | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| staff                | user            | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| staff                | themselves      | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| staff                | nobody          | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| user                 | user            | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| user                 | themselves      | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| user                 | nobody          | 403 403   | 403 403        | 403 403           | 403 403  | 403 403  |
| visitor              | user            | 401 401   | 401 401        | 401 401           | 401 401  | 401 401  |
`

const PEOPLE: Record<string, Omit<NewTestUser, 'username'>> = {
  superuser: { is_superuser: true },
  admin: { is_admin: true },
  staff: { is_staff: true },
  user: {},
  deactivated: { is_active: false },
  'unverified user': { verified: false },
  'unverified superuser': { is_superuser: true, verified: false },
  'unverified admin': { is_admin: true, verified: false },
}

interface Row {
  viewer: string
  account: string
  rules: { flag: UserFlag; value: boolean; status: number }[]
}

function readTable(): Row[] {
  const lines = TABLE.trim().split('\n')
  const [[, , ...flags] = [], ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  return rows.map(([viewer = '', account = '', ...cells]) => ({
    viewer,
    account,
    rules: cells.flatMap((cell, index) => {
      const flag = UserFlag.parse(flags[index])
      const [off, on] = cell.split(' ').map(Number)
      assert.ok(off && on, cell)
      return [
        { flag, value: false, status: off },
        { flag, value: true, status: on },
      ]
    }),
  }))
}

/** People with names of their own, so that no test meets what another has changed. */
function makePeople(server: TestServer) {
  let made = 0
  const create = (kind: string): Promise<UserInfo> => {
    const facts = PEOPLE[kind]
    assert.ok(facts, kind)
    return server.createUser({ username: `${kind.replace(' ', '.')}.${++made}`, ...facts })
  }
  const signIn = async (kind: string): Promise<{ client: TestClient; user: UserInfo }> => {
    const user = await create(kind)
    return { client: await server.signIn(user.username), user }
  }
  return { create, signIn }
}

function readAccount({ deps: { db } }: TestServer, id: number) {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

for (const engine of ENGINES) {
  test(`each role sets the flags that are its to set, of those it may, and no others (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { create, signIn } = makePeople(server)
    const viewers = new Map<string, TestClient>([['visitor', server.stranger]])
    for (const { viewer, account, rules } of readTable()) {
      await t.test(`${viewer}, of ${account}`, async () => {
        if (!viewers.has(viewer)) viewers.set(viewer, (await signIn(viewer)).client)
        for (const { flag, value, status } of rules) {
          const own = account === 'themselves' ? await signIn(viewer) : undefined
          const client = own?.client ?? viewers.get(viewer)
          const id = account === 'nobody' ? 999_999 : (own?.user ?? (await create(account))).id
          const before = await readAccount(server, id)
          const answer = await client?.patch(`/admin/users/${id}/`, { [flag]: value })
          const what: string = `${viewer} sets ${flag} of ${account} to ${value}: ${answer?.body}`
          assert.equal(answer?.status, status, what)
          const after = await readAccount(server, id)
          if (status === 200) {
            assert.equal(answer?.json()[flag], value, what)
            const changed = { ...before, [flag]: value ? 1 : 0, verified_email: null }
            assert.deepEqual({ ...after, verified_email: null }, changed, what)
          } else {
            assert.ok(answer?.json().code && answer.json().detail, what)
            assert.deepEqual(after, before, `${what}, and nothing changes`)
          }
        }
      })
    }

    await t.test('the answer says why: unverified e-mail, own account, no authenticator', async () => {
      const superuser = await signIn('superuser')
      const path = `/admin/users/${superuser.user.id}/`
      assert.equal((await superuser.client.patch(path, { is_active: false })).json().code, 'own_account_active')
      assert.equal((await superuser.client.patch(path, { is_email_verified: false })).json().code, 'own_account_email')
      for (const gfa_is_enabled of [true, false])
        assert.equal((await superuser.client.patch(path, { gfa_is_enabled })).json().code, 'own_account_two_factor')
      const other = `/admin/users/${(await create('user')).id}/`
      assert.equal((await superuser.client.patch(other, { gfa_is_enabled: true })).json().code, 'authenticator_missing')
      assert.equal((await superuser.client.patch(path, { is_superuser: false })).json().code, 'own_account_superuser')
      const unverified = await signIn('unverified admin')
      assert.equal((await unverified.client.patch(path, { is_staff: true })).json().code, 'email_not_verified')
    })

    await t.test(
      '6.33 the superuser flag is given by nobody, and who has no right at all is told no more',
      async () => {
        const user = await create('user')
        const before = await readAccount(server, user.id)
        for (const kind of ['superuser', 'admin', 'staff', 'user'] as const) {
          const { client } = await signIn(kind)
          const answer = await client.patch(`/admin/users/${user.id}/`, { is_superuser: true })
          assert.deepEqual([answer.status, answer.json().code], [403, 'forbidden'], kind)
        }
        assert.deepEqual(await readAccount(server, user.id), before)
      },
    )

    await t.test('7.40 a body names exactly one flag and says true or false; anything else is 400', async () => {
      const superuser = await signIn('superuser')
      const user = await create('user')
      const before = await readAccount(server, user.id)
      for (const body of [
        {},
        { is_staff: true, is_admin: true },
        { is_staff: true, is_superuser: true },
        { username: 'x' },
        { password_hash: 'x' },
        { is_staff: 1 },
        { is_staff: 'true' },
        { is_staff: null },
        { is_staff: [true] },
        [],
        [{ is_staff: true }],
        'is_staff',
        null,
        { __proto__: null, constructor: true },
      ]) {
        const answer = await superuser.client.patch(`/admin/users/${user.id}/`, body)
        assert.equal(answer.status, 400, JSON.stringify(body))
        assert.equal(answer.json().code, 'invalid')
      }
      assert.equal((await superuser.client.patch(`/admin/users/${user.id}/`)).status, 400)
      assert.deepEqual(await readAccount(server, user.id), before)
      for (const id of ['0', '-1', '1.5', 'abc', '9007199254740992', '%00'])
        assert.equal((await superuser.client.patch(`/admin/users/${id}/`, { is_staff: true })).status, 404, id)
    })

    await t.test('two-factor switched off for somebody is told to them, and can be switched on again', async () => {
      const superuser = await signIn('superuser')
      const user = await create('user')
      const path = `/admin/users/${user.id}/`
      const { db } = server.deps
      await db.insertInto('authenticators').values({ user_id: user.id, sealed_secret: 'x', confirmed_at: 1 }).execute()
      const hasSecondStep = async () =>
        (await server.stranger.post('/auth/login/', { username: user.username, password: TEST_PASSWORD })).json()
          .gfa_is_enabled
      assert.equal((await superuser.client.patch(path, { gfa_is_enabled: true })).status, 200)
      assert.equal(await hasSecondStep(), true)
      assert.equal((await superuser.client.patch(path, { gfa_is_enabled: false })).status, 200)
      assert.equal(await hasSecondStep(), false)
      assert.equal((await superuser.client.patch(path, { gfa_is_enabled: false })).status, 200)
      const mails = (await server.mails()).filter((mail) => mail.to?.some((to) => to.address === user.email))
      assert.equal(mails.length, 1, 'one mail, for the one change')
      assert.equal((await superuser.client.patch(path, { gfa_is_enabled: true })).status, 200)
      assert.equal(await hasSecondStep(), true)
    })

    await t.test('verifying an address by hand proves nothing, and neither does taking that back', async () => {
      const superuser = await signIn('superuser')
      const user = await create('unverified user')
      const path = `/admin/users/${user.id}/`
      await superuser.client.patch(path, { is_email_verified: true })
      assert.equal((await readAccount(server, user.id))?.verified_email, null)
      await superuser.client.patch(path, { is_email_verified: false })
      assert.equal((await readAccount(server, user.id))?.verified_email, null)
      const other = await create('unverified user')
      await superuser.client.patch(`/admin/users/${other.id}/`, { is_email_verified: false })
      assert.equal((await readAccount(server, other.id))?.verified_email, null)
    })

    await t.test('a new right holds with the next call, and so does the loss of one', async () => {
      const superuser = await signIn('superuser')
      const person = await signIn('user')
      const path = `/admin/users/${person.user.id}/`
      assert.equal((await person.client.get('/admin/users/')).status, 403)
      await superuser.client.patch(path, { is_admin: true })
      assert.equal((await person.client.get('/admin/users/')).status, 200)
      assert.equal((await person.client.get('/user/info')).json().is_admin, true)
      await superuser.client.patch(path, { is_admin: false })
      assert.equal((await person.client.get('/admin/users/')).status, 403)
    })
  })
}
