import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'

for (const engine of ENGINES)
  test(`21.17 an approval during which the collection is rejected and sent again is told that it changed, and of no missing file (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const stu = await server.signIn('stu', { is_staff: true })
    const id = await sendCollection(ada)
    await server.settle()
    const { blobs } = server.deps
    let isFirst = true
    const openLocal = async (key: string) => {
      if (isFirst) {
        isFirst = false
        must(await stu.post(`/admin/${id}/reject/`, { admin_desc: 'Not yet' }), 200)
        must(await ada.post(`/collections/${id}/save/`), 200)
        // The document of the round before goes, and that of the new one is made.
        await server.settle()
      }
      return blobs.openLocal(key)
    }
    Object.assign(server.deps, { blobs: { ...blobs, openLocal } })
    const answer = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })
    assert.equal(isFirst, false)
    assert.deepEqual([answer.status, answer.json().code], [409, 'collection_changed'])
    assert.ok(must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200).proofid)
  })
