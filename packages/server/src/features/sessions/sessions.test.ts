import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'

for (const engine of ENGINES) {
  test(`sessions (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)

    await t.test('an access token says who is asking', async () => {
      const ada = await server.signIn('ada')
      const answer = await ada.get('/user/info')
      assert.equal(answer.status, 200)
      assert.equal(answer.json().username, 'ada')
    })
  })
}
