import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertNotification } from '../../events/queries.ts'
import { ENGINES, startTestServer } from '../../testing.ts'

for (const engine of ENGINES) {
  test(`notifications (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const eve = await server.signIn('eve')
    const { id } = (await ada.get('/user/info')).json()
    for (let i = 1; i <= 25; i++)
      await insertNotification(server.deps.db, {
        user_id: id,
        type: 'REJECTED_COLLECTION',
        path: String(i),
        title: `Degree ${i}`,
        created_at: Date.UTC(2026, 0, 1) + Math.floor(i / 2),
      })
    const list = async () => (await ada.get('/notification/')).json()

    await t.test('3.21 7.18 the newest 20 come, newest first, ties by id', async () => {
      const { count, next, previous, results } = await list()
      assert.deepEqual([count, next, previous], [20, null, null])
      assert.deepEqual(
        results.map((item: { path: string }) => Number(item.path)),
        Array.from({ length: 20 }, (_, index) => 25 - index),
      )
      assert.deepEqual(Object.keys(results[0]).sort(), ['created_at', 'file', 'id', 'is_read', 'path', 'title', 'type'])
      assert.equal(results[0].title, 'Degree 25')
      assert.equal(results[0].created_at, new Date(Date.UTC(2026, 0, 1) + 12).toISOString())
    })

    await t.test('4.20 looking at one marks it read and answers 202, and may be repeated', async () => {
      const { results } = await list()
      const [newest] = results
      assert.equal((await ada.get(`/notification/check_read?id=${newest.id}`)).status, 202)
      assert.equal((await ada.get(`/notification/check_read/?id=${newest.id}`)).status, 202)
      assert.equal((await list()).results[0].is_read, true)
      assert.equal((await list()).results[1].is_read, false)
    })

    await t.test('7.19 another’s and a missing one are 404 alike; what is no id is 400', async () => {
      const { results } = await list()
      const another = await eve.get(`/notification/check_read?id=${results[1].id}`)
      const missing = await eve.get('/notification/check_read?id=9007199254740991')
      assert.equal(another.status, 404)
      assert.equal(another.body, missing.body)
      assert.equal((await list()).results[1].is_read, false)
      for (const bad of ['0', '-1', '1.5', 'x', '9007199254740993', '', '1;drop table users'])
        assert.equal((await eve.get(`/notification/check_read?id=${encodeURIComponent(bad)}`)).status, 400, bad)
      assert.deepEqual((await eve.get('/notification/')).json().results, [])
    })

    await t.test('7.19 all of one’s own are marked read up to the one that was seen, and nobody else’s', async () => {
      await insertNotification(server.deps.db, {
        user_id: (await eve.get('/user/info')).json().id,
        type: 'APPROVED_COLLECTION',
        path: null,
        title: 'Diploma',
        created_at: 1,
      })
      const unread = async (client: typeof ada) =>
        (await client.get('/notification/')).json().results.filter((item: { is_read: boolean }) => !item.is_read).length
      const { results } = await list()
      const [newest, second] = results
      await server.deps.db.updateTable('notifications').set({ is_read: 0 }).where('id', '=', newest.id).execute()
      const upTo = await ada.post('/notification/read_all/', { through: second.id })
      assert.deepEqual([upTo.status, upTo.json().count], [200, 24])
      assert.equal((await list()).results[0].is_read, false)
      assert.equal(await unread(ada), 1)
      assert.equal((await ada.post('/notification/read_all')).json().count, 1)
      assert.equal((await ada.post('/notification/read_all/', {})).json().count, 0)
      assert.equal(await unread(ada), 0)
      assert.equal(await unread(eve), 1)
      for (const through of [0, -1, 1.5, 'x'])
        assert.equal((await eve.post('/notification/read_all/', { through })).status, 400, String(through))
      assert.equal(await unread(eve), 1)
    })

    await t.test('6.39 who has not verified their e-mail is refused', async () => {
      const bob = await server.signIn('bob', { verified: false })
      const answer = await bob.get('/notification/')
      assert.equal(answer.status, 403)
      assert.equal(answer.json().code, 'email_not_verified')
      assert.equal((await bob.get('/notification/check_read?id=1')).status, 403)
      assert.equal((await bob.post('/notification/read_all/')).status, 403)
    })

    await t.test('a stranger is asked to sign in', async () => {
      assert.equal((await server.stranger.get('/notification/')).status, 401)
    })
  })
}
