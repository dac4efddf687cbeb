import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, openCollection } from '../../testing/collections.ts'

for (const engine of ENGINES) {
  test(`comments on a collection (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const eve = await server.signIn('eve')
    const sam = await server.signIn('sam', { is_staff: true })
    const collection = await openCollection(ada)
    const write = async (who: typeof ada, text: string) => must(await who.post('/comments/', { collection, text }), 201)

    await t.test('3.19 6.6 7.36 come whole and oldest first, with who wrote them', async () => {
      server.clock.stop()
      const first = await write(ada, '  Is this <b>enough</b>?  ')
      const second = await write(sam, 'نسخهٔ دوم لطفاً')
      server.clock.advance(1000)
      await write(ada, 'Here it is')
      const list = (await sam.get(`/comments/?collection=${collection}`)).json()
      assert.deepEqual(
        list.results.map((row: { text: string }) => row.text),
        ['Is this <b>enough</b>?', 'نسخهٔ دوم لطفاً', 'Here it is'],
      )
      assert.equal(list.count, 3)
      const views = await server.deps.db
        .selectFrom('audit_entries')
        .select(['actor_id', 'object_id'])
        .where('action', '=', 'collection_viewed')
        .execute()
      const { id: samId } = (await sam.get('/user/info')).json()
      assert.deepEqual(views, [{ actor_id: samId, object_id: collection }], '10.2 who reads what is not theirs')
      assert.equal(list.next, null)
      assert.equal(first.username, 'ada')
      assert.equal(first.is_staff, false)
      assert.equal(first.user, (await ada.get('/user/info')).json().id)
      assert.equal(second.is_staff, true)
    })

    await t.test('5.22 7.37 must not be blank, nor too long', async () => {
      for (const text of ['', '   ', '\n\t'])
        assert.deepEqual((await ada.post('/comments/', { collection, text })).json().text, ['Comment cannot be empty'])
      assert.equal((await ada.post('/comments/', { collection, text: 'x'.repeat(2001) })).status, 400)
      for (const body of [
        { text: 'x' },
        { collection: '1', text: 'x' },
        { collection: 0, text: 'x' },
        { collection, text: 1 },
      ])
        assert.equal((await ada.post('/comments/', body)).status, 400, JSON.stringify(body))
      for (const query of ['', '?collection=x', '?collection=0', '?collection=1&collection=2'])
        assert.equal((await ada.get(`/comments/${query}`)).status, 400, query)
    })

    await t.test('6.7 7.38 are deleted by who wrote them alone, once', async () => {
      const { id } = await write(ada, 'oops')
      const byStaff = await sam.delete(`/comments/${id}/?collection=${collection}`)
      assert.equal(byStaff.status, 403)
      const byOther = await eve.delete(`/comments/${id}/?collection=${collection}`)
      assert.equal(byOther.status, 404)
      assert.equal(byOther.body, (await eve.delete('/comments/999999/')).body)
      const elsewhere = await openCollection(ada, 'Other')
      assert.equal((await ada.delete(`/comments/${id}/?collection=${elsewhere}`)).status, 404)
      const twice = await Promise.all([ada.delete(`/comments/${id}/`), ada.delete(`/comments/${id}/`)])
      assert.deepEqual(
        twice.map((answer) => answer.status).toSorted((a, b) => a - b),
        [204, 404],
      )
      const list = (await ada.get(`/comments/?collection=${collection}`)).json()
      assert.ok(list.results.every((row: { id: number }) => row.id !== id))
    })

    await t.test('take a verified e-mail, to be written and to be deleted', async () => {
      const una = await server.signIn('una')
      const own = await openCollection(una)
      const { id } = must(await una.post('/comments/', { collection: own, text: 'Mine' }), 201)
      await server.deps.db.updateTable('users').set({ is_email_verified: 0 }).where('username', '=', 'una').execute()
      for (const answer of [
        await una.post('/comments/', { collection: own, text: 'More' }),
        await una.delete(`/comments/${id}/`),
      ])
        assert.deepEqual([answer.status, answer.json().code], [403, 'email_not_verified'])
      assert.equal((await una.get(`/comments/?collection=${own}`)).json().count, 1)
    })

    await t.test('are at most 500, also when the last place is wanted twice', async () => {
      const full = await openCollection(ada, 'Full')
      await server.deps.db.updateTable('collections').set({ comment_count: 499 }).where('id', '=', full).execute()
      const answers = await Promise.all(
        [1, 2, 3].map((n) => ada.post('/comments/', { collection: full, text: `${n}` })),
      )
      assert.deepEqual(
        answers.map((answer) => answer.status).toSorted((a, b) => a - b),
        [201, 400, 400],
      )
      assert.equal(answers.find((answer) => answer.status === 400)?.json().code, 'comments_full')
      const { results } = (await ada.get(`/comments/?collection=${full}`)).json()
      assert.equal(results.length, 1)
      // More at once than there are connections: who finds no room waits for none.
      const many = await Promise.all(
        Array.from({ length: 16 }, () => ada.post('/comments/', { collection: full, text: 'Me too' })),
      )
      assert.ok(many.every((answer) => answer.json().code === 'comments_full'))
      must(await ada.delete(`/comments/${results[0].id}/`), 204)
      assert.equal((await ada.post('/comments/', { collection: full, text: 'room again' })).status, 201)
    })

    await t.test('deleting comments and their collection at once never wait for each other in a circle', async () => {
      const owner = await server.signIn('nora')
      for (let round = 0; round < 10; round += 1) {
        const id = must(await owner.post('/collections/', { title: 'Short-lived' }), 201).id
        const comments: number[] = []
        for (let n = 0; n < 4; n += 1)
          comments.push(must(await owner.post('/comments/', { text: 'x', collection: id }), 201).id)
        const [gone, ...answers] = await Promise.all([
          owner.delete(`/collections/${id}/`),
          ...comments.map((comment) => owner.delete(`/comments/${comment}/`)),
        ])
        assert.equal(gone.status, 204)
        for (const { status } of answers) assert.ok(status === 204 || status === 404, String(status))
      }
    })
  })
}
