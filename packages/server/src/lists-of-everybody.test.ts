import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deps } from './deps.ts'
import { listServerContents } from './features/certificates/service.ts'
import { listCollections } from './features/collections/service.ts'
import { listAccounts } from './features/directory/service.ts'
import { listTickets } from './features/tickets/service.ts'
import { startTestServer } from './testing.ts'

type ListCall = (deps: Deps) => Promise<unknown>

/** How many turns of the event loop several calls begin to read in that come at once. */
async function countTurns(deps: Deps, call: ListCall): Promise<number> {
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const began = new Set<number>()
  const calls = Array.from({ length: 4 }, () => {
    let hasBegun = false
    const reads = new Proxy(deps.reads, {
      get: (db, name) => {
        if (!hasBegun) began.add(turn)
        hasBegun = true
        const value: unknown = Reflect.get(db, name, db)
        return typeof value === 'function' ? value.bind(db) : value
      },
    })
    return call({ ...deps, reads })
  })
  await Promise.all(calls)
  isOver = true
  return began.size
}

test('12.5 each list of everybody’s begins in a turn of its own, and one’s own are not kept waiting', async (t) => {
  const server = await startTestServer(t)
  const [ada, sam] = [
    await server.createUser({ username: 'ada' }),
    await server.createUser({ username: 'sam', is_staff: true, is_superuser: true }),
  ]
  const lists: Record<string, (viewer: typeof ada) => ListCall> = {
    tickets: (viewer) => (deps) => listTickets(deps, { kind: 'person', viewer }, { page: 1 }, '/ticket/'),
    collections: (viewer) => (deps) => listCollections(deps, viewer, { page: 1 }, '/collections/'),
    'server content': (viewer) => (deps) => listServerContents(deps, viewer, { page: 1 }, '/content-servers/'),
    users: (viewer) => (deps) => listAccounts(deps, viewer, { page: 1 }, '/admin/users/'),
  }
  for (const [name, list] of Object.entries(lists)) {
    assert.equal(await countTurns(server.deps, list(sam)), 4, name)
    if (name !== 'users') assert.equal(await countTurns(server.deps, list(ada)), 1, `one’s own ${name}`)
  }
})
