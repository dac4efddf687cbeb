import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordEvent } from '../events/record-events.ts'
import { accountEvents } from '../features/account/events.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { checkChain } from './check-chain.ts'
import { emptyOldLinks } from './empty-old-links.ts'
import { makeLinks } from './make-links.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Links of one entry each. */
async function chain({ deps }: TestServer, links: number): Promise<void> {
  for (let n = 0; n < links; n++) {
    await recordEvent(deps, accountEvents.profile_changed(n + 1))
    await makeLinks(deps)
  }
}

async function countEmptied({ deps }: TestServer): Promise<number> {
  const { emptied, broken } = await checkChain(deps.db, deps.secrets)
  assert.equal(broken, null)
  return emptied
}

async function sweep(server: TestServer): Promise<number> {
  await emptyOldLinks(server.deps)
  return countEmptied(server)
}

for (const engine of ENGINES) {
  const start = async (t: Parameters<typeof startTestServer>[0]) => {
    const server = await startTestServer(t, engine, { config: { auditKeepDays: 30 } })
    server.clock.stop()
    return server
  }

  test(`10.15 entries of a clock that ran ahead go with those around them (${engine})`, async (t) => {
    const server = await start(t)
    const { clock } = server
    const now = clock.now()
    await chain(server, 2)
    clock.stop(now + 5 * 365 * DAY_MS)
    await chain(server, 3)
    clock.stop(now)
    await chain(server, 1)
    for (const days of [10, 20, 29]) {
      clock.stop(now + days * DAY_MS)
      await chain(server, 1)
      assert.equal(await sweep(server), 0)
    }
    clock.stop(now + 31 * DAY_MS)
    assert.equal(await sweep(server), 6)
  })

  test(`10.15 a clock that runs ahead for an hour empties no trail: one link a sweep at most goes (${engine})`, async (t) => {
    const server = await start(t)
    const { clock } = server
    const now = clock.now()
    for (const days of [0, 4, 8, 12]) {
      clock.stop(now + days * DAY_MS)
      await chain(server, 2)
    }
    clock.stop(now + 365 * DAY_MS)
    // What is recorded while it does says nothing for it, nor does a server that is started again and again.
    await chain(server, 2)
    for (let starts = 0; starts < 3; starts++) await emptyOldLinks(server.deps, true)
    assert.equal(await countEmptied(server), 0)
    assert.equal(await sweep(server), 1)
    await makeLinks(server.deps)
    assert.equal(await sweep(server), 2)
    clock.stop(now + 13 * DAY_MS)
    assert.equal(await sweep(server), 2)
  })

  test(`10.15 where no server ran for a month, or hardly anything happens, old entries go all the same (${engine})`, async (t) => {
    const server = await start(t)
    const { clock } = server
    const now = clock.now()
    await chain(server, 5)
    clock.stop(now + 60 * DAY_MS)
    for (const expected of [1, 2]) assert.equal(await sweep(server), expected)
    // A week after it came back its clock is known again.
    await makeLinks(server.deps)
    clock.advance(5 * DAY_MS)
    assert.equal(await sweep(server), 3)
    await makeLinks(server.deps)
    clock.advance(3 * DAY_MS)
    assert.equal(await sweep(server), 5)
  })

  test(`10.15 a trail in which nothing happens gets quiet: that entries of emptying went makes no new one (${engine})`, async (t) => {
    const server = await start(t)
    const { clock, deps } = server
    await chain(server, 2)
    const listActions = async () =>
      (await deps.db.selectFrom('audit_entries').select('action').orderBy('id').execute()).map(({ action }) => action)
    /** Two months, in which each link gets its turn. */
    const wait = async () => {
      clock.advance(60 * DAY_MS)
      for (let hours = 0; hours < 10; hours++) await sweep(server)
      await makeLinks(deps)
    }
    await wait()
    assert.deepEqual(new Set(await listActions()), new Set(['audit_emptied']))
    await wait()
    assert.deepEqual(await listActions(), [])
    // What goes together with something else is told with it.
    await chain(server, 1)
    clock.advance(60 * DAY_MS)
    for (let hours = 0; hours < 10; hours++) await sweep(server)
    await recordEvent(deps, accountEvents.profile_changed(1))
    await makeLinks(deps)
    assert.deepEqual(await listActions(), ['audit_emptied', 'profile_changed'])
    await wait()
    assert.deepEqual(await listActions(), ['audit_emptied'])
    assert.equal((await checkChain(deps.db, deps.secrets)).broken, null)
  })
}
