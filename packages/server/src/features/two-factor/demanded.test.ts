import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameRoute, ROUTES } from '@proofdesk/contract/routes'
import { codeOf, ENGINES, startTestServer, TEST_PASSWORD, type NewTestUser, type TestClient } from '../../testing.ts'

const ROLES: Record<string, Partial<NewTestUser>> = {
  staff: { is_staff: true },
  admin: { is_admin: true },
  superuser: { is_superuser: true },
  'unverified staff': { is_staff: true, verified: false },
}

/** What must stay open: oneself, one's sessions and password, setting two-factor up, and leaving. */
const OPEN = [
  'GET /user/info',
  'GET /profile/info/',
  'POST /password/change/',
  'GET /g2fa/gfa_qrcode/',
  'PATCH /g2fa/gfa_status/',
  'GET /auth/confirm/',
  'POST /auth/confirm/',
  'GET /profile/sessions/',
  'DELETE /profile/sessions/:id/',
  'POST /profile/sessions/end_others/',
  'POST /auth/logout/',
]

const DEMANDING = ROUTES.map(({ route }) => route).filter(({ access }) => access !== 'public')

async function callAs(client: TestClient, method: string, path: string) {
  const place = path.replace(/:\w+/g, '1')
  if (method === 'GET') return client.get(place)
  if (method === 'DELETE') return client.delete(place)
  return method === 'POST' ? client.post(place, {}) : client.patch(place, {})
}

test('what is answered before two-factor is set up is a short list', () => {
  const open = DEMANDING.filter(({ isOpenBeforeTwoFactor }) => isOpenBeforeTwoFactor).map(nameRoute)
  assert.deepEqual(open.sort(), OPEN.sort())
})

for (const engine of ENGINES) {
  test(`where two-factor is demanded of staff and above (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { requireTwoFactor: true } })

    for (const [role, flags] of Object.entries(ROLES))
      await t.test(
        `${role} without it may sign in, and is refused by every call but those that set it up`,
        async () => {
          const client = await server.signIn(role.replace(' ', '.'), flags)
          assert.equal((await client.get('/user/info')).status, 200)
          for (const route of DEMANDING) {
            if (OPEN.includes(nameRoute(route))) continue
            const answer = await callAs(client, route.method, route.path)
            assert.deepEqual(
              [answer.status, answer.json().code],
              [403, 'two_factor_required'],
              `${nameRoute(route)}: ${answer.body}`,
            )
          }
        },
      )

    await t.test('ordinary users go on without it', async () => {
      const ada = await server.signIn('ada')
      assert.equal((await ada.post('/collections/', { title: 'Degree' })).status, 201)
    })

    await t.test('setting it up opens the rest, and switching it off closes it again', async () => {
      const sam = await server.signIn('sam', { is_staff: true })
      const { secret } = (await sam.get('/g2fa/gfa_qrcode/')).json()
      assert.equal((await sam.get('/collections/')).status, 403)
      assert.equal((await sam.patch('/g2fa/gfa_status/', { otp: codeOf(secret, server.clock.now()) })).status, 200)
      assert.equal((await sam.get('/collections/')).status, 200)
      assert.equal((await sam.patch('/g2fa/gfa_status/', { gfa_is_enabled: false })).status, 200)
      assert.equal((await sam.get('/collections/')).json().code, 'two_factor_required')
    })

    await t.test('a new right waits for it too', async () => {
      const ida = await server.signIn('ida')
      await server.deps.db.updateTable('users').set({ is_staff: 1 }).where('username', '=', 'ida').execute()
      assert.equal((await ida.get('/collections/')).json().code, 'two_factor_required')
    })
  })

  test(`where it is not demanded nobody is asked (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const sam = await server.signIn('sam', { is_staff: true })
    assert.equal((await sam.get('/collections/')).status, 200)
    const again = await server.stranger.post('/auth/login/', { username: 'sam', password: TEST_PASSWORD })
    assert.equal(again.status, 200)
  })
}
