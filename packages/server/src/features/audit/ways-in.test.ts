import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer, TEST_PASSWORD, type TestServer } from '../../testing.ts'
import { enableTwoFactor, wrongCodeOf } from '../../testing/two-factor.ts'

const NEW_PASSWORD = 'Another1!'
const ADDRESS = 'ada@example.org'

async function newestToken(server: TestServer, path: string): Promise<string> {
  const mail = (await server.mails()).findLast(({ text }) => text?.includes(`/${path}/`))
  return findToken(mail, path)
}

for (const engine of ENGINES)
  test(`10.1 what opens a way into an account, shuts one or tries to is recorded, and its person is mailed (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    server.clock.stop(Date.UTC(2026, 10, 21, 12, 0, 10))
    const { stranger } = server
    const post = async (path: string, body: object, client = stranger) => {
      const answer = await client.post(path, body)
      assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.body}`)
      return answer.json()
    }
    const logIn = (password = TEST_PASSWORD) => post('/auth/login/', { username: 'ada', password })
    const person = { username: 'ada', email: ADDRESS, first_name: 'A', last_name: 'L', phone_number: '1' }

    const { id } = await post('/auth/register/', { ...person, password: TEST_PASSWORD })
    await post('/auth/verify-email/', { token: await newestToken(server, 'verify-email') })
    const ada = server.as(await logIn())
    assert.equal((await ada.post('/auth/confirm/', { password: 'Wrong1!!' })).status, 400)
    await post('/auth/confirm/', { password: TEST_PASSWORD }, ada)
    await enableTwoFactor(ada, server.clock)
    await server.settle()
    server.clock.advance(60_000)
    const app = await enableTwoFactor(ada, server.clock)
    await post('/g2fa/recovery_codes/', {}, ada)
    const wrong = { password: TEST_PASSWORD, otp: wrongCodeOf(app.secret, server.clock.now()) }
    assert.equal((await ada.post('/auth/confirm/', wrong)).status, 400)
    const enter = async (stepsAway: number) => {
      const { challenge } = await logIn()
      const code = { user_id: id, challenge, otp: wrongCodeOf(app.secret, server.clock.now()) }
      assert.equal((await stranger.post('/g2fa/gfa_verify/', code)).status, 400)
      return server.as(await post('/g2fa/gfa_verify/', { ...code, otp: app.code(stepsAway) }))
    }
    const second = await enter(1)
    const sessions = (await ada.get('/profile/sessions/')).json().results as { id: number; is_current: boolean }[]
    const other = sessions.find(({ is_current }) => !is_current)
    assert.equal((await ada.delete(`/profile/sessions/${other?.id}/`)).status, 204)
    assert.equal((await second.get('/user/info')).status, 401)
    await enter(-1)
    await post('/profile/sessions/end_others/', {}, ada)
    assert.equal((await ada.patch('/g2fa/gfa_status/', { gfa_is_enabled: false })).status, 200)
    await post('/password/change/', { old_password: TEST_PASSWORD, new_password: NEW_PASSWORD }, ada)
    assert.equal((await ada.patch('/profile/update_profile/', { email: 'thief@example.org' })).status, 200)
    await post('/auth/undo-email/', { token: await newestToken(server, 'undo-email') })
    await post('/password/reset/', { email: ADDRESS })
    const token = await newestToken(server, 'reset-password')
    await post('/password/reset/confirm/', { token, new_password: TEST_PASSWORD })
    const { refresh } = await logIn()
    const renewed = await post('/token/refresh/', { refresh })
    await post('/token/refresh/', { refresh: renewed.refresh })
    assert.equal((await stranger.post('/token/refresh/', { refresh })).status, 401)

    const own = 'user by them'
    const session = 'session by them'
    const unknown = 'user by nobody'
    const entries = await server.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'object_kind', 'object_id'])
      .orderBy('id')
      .execute()
    for (const { object_kind, object_id } of entries) if (object_kind === 'user') assert.equal(object_id, id)
    assert.deepEqual(
      entries.map((entry) => [entry.action, `${entry.object_kind} by ${entry.actor_id === id ? 'them' : 'nobody'}`]),
      [
        ['account_created', own],
        ['email_verified', own],
        ['signed_in', session],
        ['confirmation_failed', unknown],
        ['identity_confirmed', own],
        ['two_factor_on', own],
        ['two_factor_replaced', own],
        ['recovery_codes_renewed', own],
        ['confirmation_failed', unknown],
        ['first_step_passed', unknown],
        ['code_failed', unknown],
        ['signed_in', session],
        ['session_ended', session],
        ['first_step_passed', unknown],
        ['code_failed', unknown],
        ['signed_in', session],
        ['sessions_ended', own],
        ['two_factor_off', own],
        ['password_changed', own],
        ['email_changed', own],
        ['email_change_undone', own],
        ['password_reset', own],
        ['signed_in', session],
        ['session_reused', 'session by nobody'],
      ],
    )
    const told = (await server.mails()).filter(({ to }) => to?.[0]?.address === ADDRESS)
    assert.deepEqual(told.map(({ subject }) => subject ?? '').toSorted(), [
      'New recovery codes for Test Registry were made',
      'Set a new password for Test Registry',
      'The change of your e-mail address for Test Registry was taken back',
      'The e-mail address of your account at Test Registry was changed',
      'Two-factor sign-in for Test Registry now uses another app',
      'Two-factor sign-in for Test Registry was switched off',
      'Two-factor sign-in for Test Registry was switched on',
      'Verify your e-mail address for Test Registry',
      'Your password for Test Registry was changed',
      'Your password for Test Registry was changed',
    ])
  })
