import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { findCut } from '../db/list.ts'
import { ENGINES, startTestServer, type TestClient } from '../testing.ts'
import { toNeighbour } from './page-links.ts'

test('12.10 a page is read from the end of the list that it is nearer to', () => {
  const half = PAGE_SIZE / 2
  assert.deepEqual(findCut(1, 0), { offset: 0, size: PAGE_SIZE, isFromEnd: false })
  assert.deepEqual(findCut(1, half), { offset: 0, size: PAGE_SIZE, isFromEnd: false })
  assert.deepEqual(findCut(2, PAGE_SIZE + half), { offset: 0, size: half, isFromEnd: true })
  assert.deepEqual(findCut(2, 3 * PAGE_SIZE), { offset: PAGE_SIZE, size: PAGE_SIZE, isFromEnd: false })
  assert.deepEqual(findCut(3, 3 * PAGE_SIZE), { offset: 0, size: PAGE_SIZE, isFromEnd: true })
  for (let count = 1; count <= 5 * PAGE_SIZE; count += 1) {
    const pages = Math.ceil(count / PAGE_SIZE)
    for (let page = 1; page <= pages; page += 1)
      assert.ok(findCut(page, count).offset <= count / 2, `${page} of ${count}`)
  }
})

test('the address of another page keeps all of the query, also behind a question mark in it', () => {
  const address = '/collections/?search=why?&status=in_progress&page=1'
  assert.equal(toNeighbour(address, 'page', 2), '/collections/?search=why%3F&status=in_progress&page=2')
})

async function listAll(client: TestClient, address: string): Promise<number[]> {
  const ids: number[] = []
  for (let next: string | null = address; next !== null;) {
    const answer: { results: { id: number }[]; next: string | null } = (await client.get(next)).json()
    ids.push(...answer.results.map(({ id }) => id))
    next = answer.next?.replace('/backend/api/v1', '') ?? null
  }
  return ids
}

for (const engine of ENGINES)
  test(`12.10 the pages of a list show each row once, in its order, from whichever end they are read (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    for (let number = 0; number < 2 * PAGE_SIZE + 3; number += 1) {
      // Titles that are shared, so that ties are among them.
      await ada.post('/collections/', { title: `Lease ${number % 4}` })
      await ada.post('/ticket/', { title: `Question ${number % 4}` })
      await server.createUser({ username: `person.${number}` })
    }
    const lists: [TestClient, string, string[], number][] = [
      [ada, '/collections/', ['created_at', 'title', 'expire_time'], 23],
      [sam, '/collections/', ['created_at', 'title', 'expire_time'], 23],
      [sam, '/collections/?status=opened', ['created_at', 'title'], 23],
      [ada, '/ticket/', ['created_at', 'title', 'status'], 23],
      [sam, '/ticket/', ['created_at', 'title', 'status'], 23],
      [sue, '/admin/users/', ['date_joined', 'username', 'is_active'], 26],
    ]
    for (const [client, list, orders, count] of lists)
      for (const order of orders) {
        const said = `${list} ${order}`
        const address = `${list}${list.includes('?') ? '&' : '?'}ordering=`
        const ids = await listAll(client, `${address}${order}`)
        assert.equal(new Set(ids).size, count, said)
        assert.equal(ids.length, count, said)
        assert.deepEqual(await listAll(client, `${address}-${order}`), ids.toReversed(), said)
        if (order === 'created_at')
          assert.deepEqual(
            ids,
            ids.toSorted((a, b) => a - b),
            said,
          )
      }
  })
