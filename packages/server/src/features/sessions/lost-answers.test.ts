import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REFRESH_TOKEN_SECONDS } from '@proofdesk/contract/limits'
import { ENGINES, startTestServer } from '../../testing.ts'

const SECOND = 1000

for (const engine of ENGINES) {
  test(`a refresh whose answer was lost (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const renew = ({ refresh }: { refresh: string | undefined }) => server.stranger.post('/token/refresh/', { refresh })
    const asks = async ({ access }: { access: string }) =>
      (await server.stranger.get('/user/info', { authorization: `Bearer ${access}` })).status

    await t.test('may be asked for again within 30 seconds, and the pair that was lost is worth nothing', async () => {
      const ada = await server.signIn('ada')
      const lost = (await renew(ada)).json()
      server.clock.advance(29 * SECOND)
      const again = await renew(ada)
      assert.equal(again.status, 200)
      assert.notEqual(again.json().refresh, lost.refresh)
      assert.equal(await asks(again.json()), 200)
      const next = await renew(again.json())
      assert.equal(next.status, 200)
      assert.equal((await renew(lost)).status, 401)
      assert.equal(await asks(next.json()), 401, 'whoever has the lost pair ends the family')
    })

    await t.test('may be lost several times', async () => {
      const ada = await server.signIn('ada')
      await renew(ada)
      await renew(ada)
      const third = await renew(ada)
      assert.equal(third.status, 200)
      assert.equal((await renew(third.json())).status, 200)
    })

    await t.test('is a theft 30 seconds later', async () => {
      const ada = await server.signIn('ada')
      const first = (await renew(ada)).json()
      server.clock.advance(31 * SECOND)
      assert.equal((await renew(ada)).status, 401)
      assert.equal(await asks(first), 401)
      assert.equal((await renew(first)).status, 401)
    })

    await t.test('is not asked for again by a token that has run out since', async () => {
      const ada = await server.signIn('ada')
      server.clock.advance((REFRESH_TOKEN_SECONDS - 10) * SECOND)
      assert.equal((await renew(ada)).status, 200)
      server.clock.advance(11 * SECOND)
      assert.equal((await renew(ada)).status, 401)
    })

    await t.test('is a theft once its successor was used', async () => {
      const ada = await server.signIn('ada')
      const first = (await renew(ada)).json()
      const second = (await renew(first)).json()
      assert.equal((await renew(ada)).status, 401)
      assert.equal(await asks(second), 401)
    })

    await t.test('asked for by several at once leaves one pair that can be renewed', async () => {
      const ada = await server.signIn('ada')
      const answers = await Promise.all([renew(ada), renew(ada), renew(ada)])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200],
      )
      const { id } = (await ada.get('/user/info')).json()
      const alive = await server.deps.db
        .selectFrom('session_tokens as t')
        .innerJoin('sessions as s', 's.id', 't.session_id')
        .select('t.hash')
        .where('s.user_id', '=', id)
        .where('t.kind', '=', 'refresh')
        .where('t.used_at', 'is', null)
        .where('s.id', '=', (eb) => eb.selectFrom('sessions').select((of) => of.fn.max('id').as('id')))
        .execute()
      assert.equal(alive.length, 1)
    })
  })
}
