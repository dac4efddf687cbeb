import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReviewQueue } from '@proofdesk/contract/reviews'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { must, plantCollection } from '../../testing/collections.ts'

async function showQueue(who: TestClient, collection?: number): Promise<ReviewQueue> {
  return must(await who.get(`/admin/queue/${collection === undefined ? '' : `?collection=${collection}`}`), 200)
}

for (const engine of ENGINES) {
  test(`the review queue (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.createUser({ username: 'ada' })
    const samUser = await server.createUser({ username: 'sam', is_staff: true })
    const sam = await server.signIn('sam')
    const plant = async (state: Parameters<typeof plantCollection>[2], owner = ada) =>
      (await plantCollection(server, owner, state)).id

    await t.test('is empty while nothing waits', async () => {
      assert.deepEqual(await showQueue(sam), { waiting: 0, place: null, previous: null, next: null })
    })

    // The first two at the same moment: then the later id is the newer.
    const oldest = await plant('sent')
    const older = await plant('sent')
    server.clock.advance(1000)
    for (const state of ['opened', 'answered', 'claimed', 'approved', 'expired'] as const) await plant(state)
    await plant('sent', samUser)
    const newest = await plant('sent')
    const idsOf = ({ previous, next }: ReviewQueue) => [previous?.id, next?.id]

    await t.test('2.152 begins with the oldest, and leaves out what is decided, open or one’s own', async () => {
      const queue = await showQueue(sam)
      assert.equal(queue.waiting, 3)
      assert.deepEqual(queue.next, { id: oldest, title: 'A collection that is sent', username: 'ada' })
    })

    await t.test(
      '2.152 goes on in the order of the list from its end, and after the last comes the first',
      async () => {
        const listed = must(await sam.get('/collections/?status=in_progress'), 200).results.map(
          ({ id }: { id: number }) => id,
        )
        const order = [newest, older, oldest]
        assert.deepEqual(
          listed.filter((id: number) => order.includes(id)),
          order,
        )
        assert.deepEqual(idsOf(await showQueue(sam, newest)), [older, oldest])
        assert.deepEqual(idsOf(await showQueue(sam, older)), [oldest, newest])
        assert.deepEqual(idsOf(await showQueue(sam, oldest)), [newest, older])
        assert.equal((await showQueue(sam, older)).place, 2)
      },
    )

    await t.test('2.153 a collection that is decided on keeps its place, so that the next one is known', async () => {
      must(await sam.post(`/admin/${older}/reject/`, { admin_desc: 'Page 2 is not signed.' }), 200)
      const queue = await showQueue(sam, older)
      assert.deepEqual([queue.waiting, queue.place, ...idsOf(queue)], [2, null, oldest, newest])
    })

    await t.test('one that alone waits has no neighbours; one that is gone is as none', async () => {
      must(await sam.post(`/admin/${oldest}/reject/`, { admin_desc: 'Page 2 is not signed.' }), 200)
      assert.deepEqual(await showQueue(sam, newest), { waiting: 1, place: 1, previous: null, next: null })
      const queue = await showQueue(sam, 999_999)
      assert.deepEqual([queue.place, ...idsOf(queue)], [null, undefined, newest])
    })

    await t.test('2.152 is refused to who reviews nothing, and to what is no id', async () => {
      assert.equal((await (await server.signIn('ada')).get('/admin/queue/')).status, 403)
      assert.equal((await sam.get('/admin/queue/?collection=x')).status, 400)
    })
  })
}
