import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { STATES } from '../../testing/collections.ts'
import { plantFiledCollection } from '../../testing/role-table/plant.ts'
import { makePdf } from '../../testing/small-files.ts'

interface Target {
  collection: number
  content: number
}

const ACTIONS: Record<string, (who: TestClient, target: Target) => ReturnType<TestClient['get']>> = {
  show: (who, { collection }) => who.get(`/collections/${collection}`),
  'list files': (who, { collection }) => who.get(`/contents/?collection=${collection}`),
  'list comments': (who, { collection }) => who.get(`/comments/?collection=${collection}`),
  rename: (who, { collection }) => who.patch(`/collections/${collection}/`, { title: 'New name' }),
  delete: (who, { collection }) => who.delete(`/collections/${collection}/`),
  send: (who, { collection }) => who.post(`/collections/${collection}/save/`),
  upload: (who, { collection }) =>
    who.upload('/contents/', { collection: String(collection) }, { name: 'a.pdf', bytes: makePdf() }),
  'delete file': (who, { content }) => who.delete(`/contents/${content}/`),
  comment: (who, { collection }) => who.post('/comments/', { collection, text: 'Hello' }),
  approve: (who, { collection }) => who.post(`/admin/${collection}/approve/`, { admin_desc: 'Me' }),
  reject: (who, { collection }) => who.post(`/admin/${collection}/reject/`, { admin_desc: 'Not yet' }),
  withdraw: (who, { collection }) => who.post(`/admin/${collection}/withdraw/`, { admin_desc: 'Not yet' }),
}

const seen = [200, 200, 200, 200, 200, 200]
const forbidden = [403, 403, 403, 403, 403, 403]

/** Columns as in STATES. */
const OF_BOTH: Record<string, number[]> = {
  show: seen,
  'list files': seen,
  'list comments': seen,
  rename: forbidden,
  delete: forbidden,
  send: forbidden,
  upload: forbidden,
  'delete file': [204, 204, 204, 409, 409, 409],
  comment: [201, 201, 201, 201, 201, 201],
  approve: forbidden,
  reject: forbidden,
  withdraw: forbidden,
}

/** What roles may do otherwise stands in the role table: there an owner has none. */
const EXPECTED: Record<'is_staff' | 'is_superuser', Record<string, number[]>> = {
  is_staff: { ...OF_BOTH, rename: [200, 200, 409, 409, 409, 409] },
  is_superuser: { ...OF_BOTH, delete: [204, 204, 409, 409, 409, 204] },
}

async function readAll({ deps: { db } }: TestServer, collection: number) {
  return Promise.all([
    db.selectFrom('collections').selectAll().where('id', '=', collection).execute(),
    db.selectFrom('contents').selectAll().where('collection_id', '=', collection).execute(),
    db.selectFrom('comments').selectAll().where('collection_id', '=', collection).execute(),
    db.selectFrom('proofs').selectAll().where('collection_id', '=', collection).execute(),
  ])
}

for (const engine of ENGINES)
  for (const flag of ['is_staff', 'is_superuser'] as const)
    test(`6.20 an owner who has ${flag} since may do to their own what the contract says, and decides on none (${engine})`, async (t) => {
      const server = await startTestServer(t, engine)
      const client = await server.signIn('risen', { [flag]: true })
      const owner = (await client.get('/user/info')).json()
      assert.deepEqual(Object.keys(EXPECTED[flag]), Object.keys(ACTIONS))
      for (const [name, act] of Object.entries(ACTIONS)) {
        for (const [index, state] of STATES.entries()) {
          const { id: collection, contentId: content } = await plantFiledCollection({ server, owner }, state)
          const before = await readAll(server, collection)
          const answer = await act(client, { collection, content })
          const what = `${name} what is ${state}: ${answer.body}`
          assert.equal(answer.status, EXPECTED[flag][name]?.[index], what)
          if (answer.status < 400) continue
          assert.deepEqual(await readAll(server, collection), before, `${what}, and nothing changes`)
          assert.ok(answer.json().code && answer.json().detail, what)
          if (state === 'sent' && (name === 'approve' || name === 'reject'))
            assert.equal(answer.json().code, 'own_collection')
        }
      }
    })
