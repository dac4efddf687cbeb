import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, startTestServer, TEST_PASSWORD, type TestEngine } from '../../testing.ts'
import { enableTwoFactor, wrongCodeOf } from '../../testing/two-factor.ts'

interface Place {
  remoteAddress: string
  agent?: string
}

const HERE: Place = { remoteAddress: '192.0.2.1', agent: 'curl/8.0' }

/** A server on which ada has two-factor on; its clock stands still in the middle of a time step. */
async function start(t: TestContext, engine: TestEngine) {
  const server = await startTestServer(t, engine)
  server.clock.stop(Date.UTC(2026, 10, 21, 12, 0, 10))
  const ada = await server.signIn('ada')
  const app = await enableTwoFactor(ada, server.clock)
  const user_id: number = (await ada.get('/user/info')).json().id
  server.clock.advance(90_000)
  const post = async (path: string, payload: object, { remoteAddress, agent }: Place) => {
    const headers = { 'user-agent': agent ?? '' }
    const url = `${API_BASE}${path}`
    const answer = await server.inject({ method: 'POST', url, payload, remoteAddress, headers })
    return { status: answer.statusCode, body: answer.json() }
  }
  return {
    server,
    right: () => app.code(),
    wrong: () => wrongCodeOf(app.secret, server.clock.now()),
    /** The password step. @returns its challenge. */
    logIn: async (place = HERE): Promise<string> => {
      const { status, body } = await post('/auth/login/', { username: 'ada', password: TEST_PASSWORD }, place)
      assert.equal(status, 200)
      return body.challenge
    },
    /** The code step; without a challenge when none is given. */
    verify: async (otp: string, place = HERE, challenge?: string) =>
      post('/g2fa/gfa_verify/', { user_id, otp, ...(challenge !== undefined && { challenge }) }, place),
  }
}

for (const engine of ENGINES) {
  test(`9.29 wrong codes are limited to 20 an hour per account, wherever they come from, and its owner is told (${engine})`, async (t) => {
    const { server, logIn, verify, wrong, right } = await start(t, engine)
    const statuses: number[] = []
    let open = ''
    for (let n = 0; n < 30; n += 1) {
      const place = { remoteAddress: `198.51.${n}.1` }
      const challenge = await logIn(place)
      statuses.push((await verify(wrong(), place, challenge)).status)
      open = challenge
    }
    assert.deepEqual(statuses, [...Array<number>(20).fill(400), ...Array<number>(10).fill(429)])
    assert.equal((await verify(right(), HERE, open)).status, 429)
    const told = (await server.mails()).filter(
      ({ subject }) => subject === 'Many wrong sign-in codes for Test Registry',
    )
    assert.deepEqual(
      told.map(({ to }) => to?.[0]?.address),
      ['ada@example.org'],
    )
  })

  test(`9.29 wrong codes of whoever has a session and the password are limited alike, wherever they come from (${engine})`, async (t) => {
    const { server, logIn, verify, wrong, right } = await start(t, engine)
    const { access } = (await verify(right(), HERE, await logIn())).body
    const confirm = async (place: number) => {
      const answer = await server.inject({
        method: 'POST',
        url: `${API_BASE}/auth/confirm/`,
        payload: { password: TEST_PASSWORD, otp: wrong() },
        headers: { authorization: `Bearer ${access}` },
        remoteAddress: `198.51.${place}.1`,
      })
      return answer.statusCode
    }
    const statuses: number[] = []
    for (let n = 0; n < 25; n += 1) statuses.push(await confirm(n))
    assert.deepEqual(statuses, [...Array<number>(20).fill(400), ...Array<number>(5).fill(429)])
  })

  test(`codes sent at once get no more tries than codes one by one (${engine})`, async (t) => {
    const { logIn, verify, wrong } = await start(t, engine)
    const challenges = []
    for (let n = 0; n < 30; n += 1) challenges.push(await logIn({ remoteAddress: `198.51.${n}.1` }))
    const all = await Promise.all(challenges.map((challenge) => verify(wrong(), HERE, challenge)))
    assert.equal(all.filter(({ status }) => status === 400).length, 20)
  })

  test(`9.29 posts of a stranger at the same address never block a code that has its challenge (${engine})`, async (t) => {
    const { logIn, verify, wrong, right } = await start(t, engine)
    const challenge = await logIn()
    // The address of the whole office, the very same program, with and without a challenge of their own making.
    for (let n = 0; n < 60; n += 1) await verify(wrong(), HERE, n % 2 === 0 ? undefined : 'A'.repeat(43))
    assert.equal((await verify(wrong(), HERE)).status, 429)
    assert.equal((await verify(right(), HERE, challenge)).status, 200)
  })

  test(`9.29 a code without a challenge needs the address and the program of the password step (${engine})`, async (t) => {
    const { logIn, verify, right } = await start(t, engine)
    await logIn()
    for (const place of [
      { ...HERE, agent: 'curl/8.1' },
      { ...HERE, remoteAddress: '192.0.2.2' },
      { remoteAddress: HERE.remoteAddress },
    ])
      assert.equal((await verify(right(), place)).body.code, 'two_factor_challenge_ended')
    assert.equal((await verify(right())).status, 200)
  })

  test(`9.29 a code without a challenge is taken only while one password step is pending there (${engine})`, async (t) => {
    const { logIn, verify, right } = await start(t, engine)
    const first = await logIn()
    await logIn()
    assert.equal((await verify(right())).body.code, 'two_factor_challenge_ended')
    // Each with its challenge is meant by it.
    assert.equal((await verify(right(), HERE, first)).status, 200)
    // One from elsewhere is another matter.
    await logIn({ remoteAddress: '192.0.2.9' })
  })

  test(`five wrong codes without the challenge of a step end it for such codes alone (${engine})`, async (t) => {
    const { logIn, verify, wrong, right } = await start(t, engine)
    const challenge = await logIn()
    for (let n = 0; n < 5; n += 1) assert.equal((await verify(wrong())).status, 400)
    assert.equal((await verify(right())).body.code, 'two_factor_challenge_ended')
    assert.equal((await verify(right(), HERE, challenge)).status, 200)
  })

  test(`whoever came in by a code is no stranger to the account there, and nobody by the password alone (${engine})`, async (t) => {
    const { server, logIn, verify, right } = await start(t, engine)
    const place = { ...HERE, remoteAddress: '203.0.113.5' }
    const countKnown = async () => (await server.deps.db.selectFrom('known_networks').select('mark').execute()).length
    const challenge = await logIn(place)
    assert.equal(await countKnown(), 1)
    assert.equal((await verify(right(), place, challenge)).status, 200)
    assert.equal(await countKnown(), 2)
  })

  test(`no code lets anybody in where no app is known, though two-factor is on (${engine})`, async (t) => {
    const { server, logIn, verify, right } = await start(t, engine)
    await server.deps.db.deleteFrom('authenticators').execute()
    for (const otp of [right(), '000000'])
      assert.equal((await verify(otp, HERE, await logIn())).body.code, 'two_factor_code_wrong')
  })

  test(`a step that wrong codes ended keeps no code without a challenge out, and codes for it count (${engine})`, async (t) => {
    const { logIn, verify, wrong, right } = await start(t, engine)
    const ended = await logIn()
    for (let n = 0; n < 5; n += 1) await verify(wrong(), HERE, ended)
    await logIn()
    assert.equal((await verify(right())).status, 200)
    const late: number[] = []
    for (let n = 0; n < 11; n += 1) late.push((await verify(wrong(), HERE, ended)).status)
    assert.deepEqual(late, [...Array<number>(10).fill(400), 429])
  })

  test(`a step that was taken elsewhere does not keep a code without a challenge out (${engine})`, async (t) => {
    const { logIn, verify, right } = await start(t, engine)
    await logIn({ remoteAddress: '192.0.2.9' })
    await logIn({ ...HERE, agent: 'another' })
    await logIn()
    assert.equal((await verify(right())).status, 200)
  })
}
