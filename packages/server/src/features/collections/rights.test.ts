import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Collection } from '@proofdesk/contract/collections'
import type { Content } from '@proofdesk/contract/contents'
import type { UserInfo } from '@proofdesk/contract/users'
import { ENGINES, startTestServer } from '../../testing.ts'
import type { TestAnswer, TestClient } from '../../testing/client.ts'
import { must, STATES } from '../../testing/collections.ts'
import { plantFiledCollection } from '../../testing/role-table/plant.ts'
import { makePdf } from '../../testing/small-files.ts'

type Right = keyof Collection['may']
type Try = (person: TestClient, collection: { id: number; contentId: number }) => Promise<TestAnswer>

const description = { admin_desc: 'Page 3 is unsigned' }

/** The call that each right is about. */
const TRIES: Record<Right, Try> = {
  edit: (person, { id }) => person.patch(`/collections/${id}/`, { title: 'Another title' }),
  delete: (person, { id }) => person.delete(`/collections/${id}/`),
  send: (person, { id }) => person.post(`/collections/${id}/save/`),
  change_contents: (person, { id }) =>
    person.upload('/contents/', { collection: String(id) }, { name: 'degree.pdf', bytes: makePdf() }),
  delete_contents: (person, { contentId }) => person.delete(`/contents/${contentId}/`),
  comment: (person, { id }) => person.post('/comments/', { collection: id, text: 'Please look at page 2' }),
  review: (person, { id }) => person.post(`/admin/${id}/reject/`, description),
  withdraw: (person, { id }) => person.post(`/admin/${id}/withdraw/`, description),
}

for (const engine of ENGINES)
  test(`what a collection says one may do is what its calls do, for every role and in every state (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const owner = await server.signIn('ada')
    const people = {
      owner,
      'unverified owner': await server.signIn('una', { verified: false }),
      'owner who became staff': await server.signIn('stan', { is_staff: true }),
      staff: await server.signIn('sam', { is_staff: true }),
      superuser: await server.signIn('sue', { is_superuser: true }),
    }
    const ada = must(await owner.get('/user/info'), 200) as UserInfo
    const owners: Record<string, UserInfo> = {}
    for (const [role, person] of Object.entries(people))
      if (role.includes('owner')) owners[role] = must(await person.get('/user/info'), 200)
    for (const [role, person] of Object.entries(people))
      for (const state of STATES)
        for (const [right, attempt] of Object.entries(TRIES)) {
          const collection = await plantFiledCollection({ server, owner: owners[role] ?? ada }, state)
          const { may } = must(await person.get(`/collections/${collection.id}`), 200) as Collection
          // Each file says the same of itself.
          const { results } = must(await person.get(`/contents/?collection=${collection.id}`), 200)
          const told = (results as Content[]).map((content) => content.may)
          assert.deepEqual(told, [{ change: may.change_contents, delete: may.delete_contents }])
          const answer = await attempt(person, collection)
          const what = `${role} may ${right} when it is ${state}: ${answer.body}`
          assert.equal(answer.status < 300, may[right as Right], what)
        }
  })
