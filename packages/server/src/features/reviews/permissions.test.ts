import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserInfo } from '@proofdesk/contract/users'
import { ENGINES, startTestServer, type TestAnswer, type TestClient, type TestServer } from '../../testing.ts'
import { plantCollection, STATES } from '../../testing/collections.ts'
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
  reject: (who, { collection }) => who.post(`/admin/${collection}/reject/`, { admin_desc: 'Not yet' }),
  withdraw: (who, { collection }) => who.post(`/admin/${collection}/withdraw/`, { admin_desc: 'Not yet' }),
}

const seen = [200, 200, 200, 200, 200, 200]
const hidden = [404, 404, 404, 404, 404, 404]
const forbidden = [403, 403, 403, 403, 403, 403]
const conflict = [409, 409, 409, 409, 409, 409]
const looks = { show: seen, 'list files': seen, 'list comments': seen }

/** Whatever is tried, but for what is said beside it. */
const all = (statuses: number[], others: Record<string, number[]> = {}): Record<string, number[]> => ({
  ...Object.fromEntries(Object.keys(ACTIONS).map((action) => [action, statuses])),
  ...others,
})

const OF_STAFF = all(forbidden, {
  ...looks,
  'delete file': [204, 204, 204, 409, 409, 409],
  comment: [201, 201, 201, 201, 201, 201],
  reject: [409, 409, 200, 409, 409, 409],
})

/** Specification section 6 and the decisions about roles; columns as in STATES. */
const EXPECTED: Record<string, Record<string, number[]>> = {
  owner: {
    ...looks,
    rename: [200, 200, 409, 409, 409, 409],
    delete: [204, 204, 409, 409, 409, 204],
    send: [200, 200, 409, 409, 409, 409],
    upload: [201, 201, 409, 409, 409, 409],
    'delete file': [204, 204, 409, 409, 409, 409],
    comment: [201, 201, 201, 201, 201, 201],
    reject: forbidden,
    withdraw: forbidden,
  },
  'owner without verified e-mail': all(forbidden, looks),
  'owner who became staff': { ...OF_STAFF, rename: [200, 200, 409, 409, 409, 409], reject: forbidden },
  'owner who became superuser': { ...OF_STAFF, delete: [204, 204, 409, 409, 409, 204], reject: forbidden },
  'another user': all(hidden),
  admin: all(hidden, { upload: forbidden }),
  staff: OF_STAFF,
  'staff without verified e-mail': all(hidden, { upload: forbidden }),
  superuser: { ...OF_STAFF, withdraw: [409, 409, 409, 200, 409, 409] },
  stranger: all(conflict.map(() => 401)),
}

async function plantFile({ deps, clock }: TestServer, collection: number): Promise<number> {
  const { id } = await deps.db
    .insertInto('contents')
    .values({
      collection_id: collection,
      title: 'TYPE1',
      title_key: 'type1',
      title_type: 'TYPE1',
      type: 'PDF',
      file_name: 'a.pdf',
      blob_key: `originals/planted-${collection}`,
      size: 1,
      pages: 1,
      sha256: '0'.repeat(64),
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deps.db
    .updateTable('collections')
    .set({ content_count: 1, content_bytes: 1, content_pages: 1 })
    .where('id', '=', collection)
    .execute()
  return id
}

async function readAll({ deps: { db } }: TestServer, collection: number) {
  return Promise.all([
    db.selectFrom('collections').selectAll().where('id', '=', collection).execute(),
    db.selectFrom('contents').selectAll().where('collection_id', '=', collection).execute(),
    db.selectFrom('comments').selectAll().where('collection_id', '=', collection).execute(),
    db.selectFrom('proofs').selectAll().where('collection_id', '=', collection).execute(),
  ])
}

for (const engine of ENGINES) {
  test(`4.36 6.2 6.4 6.10 6.17 6.18 6.31 6.40 6.41 each role may do to a collection what the specification says, in each state (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const owners: Record<string, UserInfo> = {}
    const clients: Record<string, TestClient> = {
      owner: await server.signIn('ada'),
      'owner without verified e-mail': await server.signIn('una', { verified: false }),
      'owner who became staff': await server.signIn('risen', { is_staff: true }),
      'owner who became superuser': await server.signIn('crowned', { is_superuser: true }),
      'another user': await server.signIn('eve'),
      admin: await server.signIn('amy', { is_admin: true }),
      staff: await server.signIn('sam', { is_staff: true }),
      'staff without verified e-mail': await server.signIn('stan', { is_staff: true, verified: false }),
      superuser: await server.signIn('sue', { is_superuser: true }),
      stranger: server.stranger,
    }
    for (const [name, client] of Object.entries(clients))
      if (client !== server.stranger) owners[name] = (await client.get('/user/info')).json()

    for (const [person, rules] of Object.entries(EXPECTED)) {
      await t.test(person, async () => {
        const client = clients[person]
        const owner = owners[person.startsWith('owner') ? person : 'owner']
        assert.ok(client && owner)
        assert.deepEqual(Object.keys(rules), Object.keys(ACTIONS))
        for (const [action, expected] of Object.entries(rules)) {
          for (const [index, state] of STATES.entries()) {
            const { id: collection } = await plantCollection(server, owner, state)
            const content = await plantFile(server, collection)
            const before = await readAll(server, collection)
            const answer: TestAnswer | undefined = await ACTIONS[action]?.(client, { collection, content })
            const what: string = `${person}: ${action} what is ${state}: ${answer?.body}`
            assert.ok(answer)
            assert.equal(answer.status, expected[index], what)
            if (answer.status < 400) continue
            assert.deepEqual(await readAll(server, collection), before, `${what}, and nothing changes`)
            assert.ok(answer.json().code && answer.json().detail, what)
          }
        }
      })
    }

    await t.test('6.20 approving asks the same of a reviewer as rejecting, and for at least one file', async () => {
      const owner = owners['owner']
      const risen = owners['owner who became staff']
      assert.ok(owner && risen)
      for (const [person, expected, code] of [
        ['owner', forbidden, 'forbidden'],
        ['another user', hidden, 'collection_not_found'],
        ['admin', hidden, 'collection_not_found'],
        ['staff', [409, 409, 400, 409, 409, 409], undefined],
        ['staff without verified e-mail', hidden, 'collection_not_found'],
        ['superuser', [409, 409, 400, 409, 409, 409], undefined],
        ['stranger', conflict.map(() => 401), 'not_signed_in'],
      ] as const) {
        for (const [index, state] of STATES.entries()) {
          const { id } = await plantCollection(server, owner, state)
          const answer: TestAnswer | undefined = await clients[person]?.post(`/admin/${id}/approve/`, {
            admin_desc: 'Fine',
            expire_time: null,
          })
          assert.ok(answer)
          assert.equal(answer.status, expected[index], `${person} ${state}`)
          if (code) assert.equal(answer.json().code, code)
          if (answer.status === 400) assert.equal(answer.json().code, 'collection_empty')
        }
      }
      const own = await plantCollection(server, risen, 'sent')
      const answer = await clients['owner who became staff']?.post(`/admin/${own.id}/approve/`, { admin_desc: 'Me' })
      assert.equal(answer?.json().code, 'own_collection')
    })
  })
}
