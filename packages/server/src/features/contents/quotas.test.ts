import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { addFile, must, openCollection, sendCollection } from '../../testing/collections.ts'
import { makePdf } from '../../testing/small-files.ts'
import { listStoredFiles } from '../../testing/stored-files.ts'
import { mustHaveRoom } from './store-file.ts'

const MB = 1024 * 1024

for (const engine of ENGINES) {
  test(`9.33 what one person stores is bounded, also for uploads at once, and nobody else’s (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { maxUserMb: 1 } })
    const ada = await server.signIn('ada')
    const bob = await server.signIn('bob')
    const collections = [await openCollection(ada), await openCollection(ada), await openCollection(ada)]
    const bytes = makePdf(1, 'Large', 400_000)
    const upload = (id: number) => ada.upload('/contents/', { collection: String(id) }, { name: 'a.pdf', bytes })
    const answers = await Promise.all([...collections, ...collections].map(upload))
    const taken = answers.filter(({ status }) => status === 201)
    assert.equal(taken.length, Math.floor(MB / bytes.length))
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(answer.status, 400)
      assert.equal(answer.json().code, 'own_space_full')
      assert.deepEqual(answer.json().file, [answer.json().detail])
    }
    await server.settle()
    const originals = (await listStoredFiles(server.deps)).filter((key) => key.includes('originals'))
    assert.equal(originals.length, taken.length)
    await addFile(bob, await openCollection(bob), bytes)
    // What is deleted makes room.
    must(await ada.delete(`/contents/${taken[0]?.json().id}/`), 204)
    assert.equal((await upload(collections[0] ?? 0)).status, 201)
  })

  test(`9.33 the collections of one person are bounded, also when made at once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { maxUserCollections: 3 } })
    const ada = await server.signIn('ada')
    const bob = await server.signIn('bob')
    const make = () => ada.post('/collections/', { title: 'Degree' })
    const answers = await Promise.all(Array.from({ length: 8 }, make))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    for (const answer of answers.filter(({ status }) => status !== 201))
      assert.deepEqual([answer.status, answer.json().code], [400, 'collection_limit_reached'])
    await openCollection(bob)
    must(await ada.delete(`/collections/${answers.find(({ status }) => status === 201)?.json().id}/`), 204)
    assert.equal((await make()).status, 201)
  })
}

test('9.33 exactly the room that is to stay free is enough, and a byte less is not', async (t) => {
  const { deps } = await startTestServer(t)
  const roles = { is_staff: false, is_admin: false, is_superuser: false }
  const viewer = { id: 1, username: 'ada', ...roles, is_email_verified: true }
  const askWith = (free: number) =>
    mustHaveRoom(
      { ...deps, config: { ...deps.config, minFreeMb: 1 }, blobs: { ...deps.blobs, freeBytes: async () => free } },
      viewer,
    )
  await askWith(MB)
  await assert.rejects(askWith(MB - 1), { code: 'storage_full' })
})

test('9.33 below the room that is to stay free uploads are refused and all else goes on', async (t) => {
  const server = await startTestServer(t)
  const ada = await server.signIn('ada')
  const sam = await server.signIn('sam', { is_staff: true })
  const sent = await sendCollection(ada)
  const open = await openCollection(ada)
  // More than any disk has.
  server.config.minFreeMb = 99_999_999
  const file = { name: 'a.pdf', bytes: makePdf() }
  const refused = await ada.upload('/contents/', { collection: String(open) }, file)
  assert.equal(refused.status, 507)
  assert.equal(refused.json().code, 'storage_full')
  assert.match(refused.json().detail, /too little room/)
  assert.deepEqual(refused.json().file, [refused.json().detail])
  must(await sam.post(`/admin/${sent}/approve/`, { admin_desc: 'Fine' }), 200)
  await openCollection(ada)
  assert.equal((await ada.post('/ticket/', { title: 'No room' })).status, 201)
  server.config.minFreeMb = 0
  await addFile(ada, open)
})
