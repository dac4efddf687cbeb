import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CollectionStatus } from '@proofdesk/contract/status'
import { checkCounts } from '../../../counts/check-counts.ts'
import { ENGINES, startTestServer, type TestServer } from '../../../testing.ts'
import { must, openCollection, plantCollection, sendCollection } from '../../../testing/collections.ts'
import * as is from '../status-filter.ts'
import { markLapsed } from './mark-lapsed.ts'
import { countStates } from './queries.ts'

const NOW = Date.UTC(2027, 0, 31, 18)

/** What a full count says of each status now, after it was compared with the tiles, the lists and the counters. */
async function mustBeExact(server: TestServer, said: string): Promise<Record<CollectionStatus, number>> {
  const { deps, clock } = server
  assert.deepEqual((await checkCounts(deps)).wrong, [], said)
  const staff = await server.signIn('sam')
  const tiles = must(await staff.get('/collections/counts/'), 200)
  const found = {} as Record<CollectionStatus, number>
  for (const status of CollectionStatus.options) {
    const rows = await deps.db
      .selectFrom('collections as c')
      .select('c.id')
      .where(is.hasStatus(status, clock.now()))
      .orderBy('c.id')
      .execute()
    found[status] = rows.length
    assert.equal(tiles[status], rows.length, `${said}: ${status}`)
    const list = must(await staff.get(`/collections/?status=${status}`), 200)
    assert.equal(list.count, rows.length, `${said}: ${status}`)
    assert.deepEqual(
      list.results.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b),
      rows.map(({ id }) => id),
      `${said}: ${status}`,
    )
  }
  return found
}

for (const engine of ENGINES) {
  test(`12.7 counts are exact at every step of a collection’s life (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const sue = await server.signIn('sue', { is_superuser: true })
    const none = { opened: 0, in_progress: 0, answered: 0, approved: 0, expired: 0 }
    const step = async (said: string, expected: Partial<typeof none>) =>
      assert.deepEqual(await mustBeExact(server, said), { ...none, ...expected }, said)

    await step('nothing', {})
    const first = await openCollection(ada)
    await step('created', { opened: 1 })
    must(await ada.delete(`/collections/${first}`), 204)
    await step('deleted', {})
    const id = await sendCollection(ada)
    await step('sent', { in_progress: 1 })
    const rejections = await Promise.all([
      sam.post(`/admin/${id}/reject/`, { admin_desc: 'Sign it' }),
      sue.post(`/admin/${id}/reject/`, { admin_desc: 'Sign it, please' }),
    ])
    assert.deepEqual(new Set(rejections.map(({ status }) => status)), new Set([200, 409]))
    await step('rejected by two at once', { answered: 1 })
    await Promise.all([ada.post(`/collections/${id}/save/`), ada.post(`/collections/${id}/save/`)])
    await step('sent again, twice at once', { in_progress: 1 })
    must(await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
    await step('approved', { approved: 1 })

    const owner = must(await ada.get('/user/info'), 200)
    const planted = await plantCollection(server, owner, 'claimed')
    await step('claimed', { approved: 1, in_progress: 1 })
    must(await sue.post(`/admin/${planted.id}/withdraw/`, { admin_desc: 'The sealing is broken' }), 200)
    await step('withdrawn', { approved: 1, answered: 1 })
    await Promise.all([
      ...[1, 2, 3, 4].map(() => openCollection(ada)),
      ada.delete(`/collections/${planted.id}`),
      sendCollection(ada),
    ])
    await step('many at once', { approved: 1, opened: 4, in_progress: 1 })

    const expired = await plantCollection(server, owner, 'expired')
    await step('expired', { approved: 1, opened: 4, in_progress: 1, expired: 1 })
    await markLapsed(server.deps)
    await step('marked', { approved: 1, opened: 4, in_progress: 1, expired: 1 })
    must(await ada.delete(`/collections/${expired.id}`), 204)
    await step('deleted after it has expired', { approved: 1, opened: 4, in_progress: 1 })
  })

  test(`12.7 what expires is counted so from its very millisecond on, before and after it is marked (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW })
    server.clock.stop(NOW)
    const owner = await server.createUser({ username: 'ada' })
    await server.signIn('sam', { is_staff: true })
    const { db } = server.deps
    const { id } = await plantCollection(server, owner, 'approved')
    await plantCollection(server, owner, 'approved')
    const end = NOW + 60_000
    await db.updateTable('collections').set({ expire_time: end }).where('id', '=', id).execute()
    const at = async (time: number) => {
      server.clock.stop(time)
      const { approved, expired } = await mustBeExact(server, String(time - end))
      return { approved, expired }
    }
    const isMarked = async () =>
      (await db.selectFrom('collections').select('lapsed').where('id', '=', id).executeTakeFirst())?.lapsed
    const before = { approved: 2, expired: 0 }
    const after = { approved: 1, expired: 1 }

    await markLapsed(server.deps)
    assert.deepEqual(await at(end - 1), before)
    await markLapsed(server.deps)
    assert.equal(await isMarked(), 0)
    assert.deepEqual(await at(end), after)
    assert.deepEqual(await at(end + 9999), after)
    // Two processes at once.
    server.clock.stop(end + 10_000)
    await Promise.all([markLapsed(server.deps), markLapsed(server.deps)])
    assert.equal(await isMarked(), 1)
    assert.deepEqual(await at(end + 10_000), after)

    // The clock is set back.
    server.clock.stop(end - 1)
    await markLapsed(server.deps)
    assert.equal(await isMarked(), 0)
    assert.deepEqual(await at(end - 1), before)

    // It is given more time after it was marked.
    server.clock.stop(end + 10_000)
    await markLapsed(server.deps)
    assert.equal(await isMarked(), 1)
    await db
      .updateTable('collections')
      .set({ expire_time: end + 20_000 })
      .where('id', '=', id)
      .execute()
    assert.equal(await isMarked(), 0)
    assert.deepEqual(await at(end + 10_000), before)
    assert.deepEqual(await at(end + 20_000), after)
  })

  test(`12.7 what expires together is marked some at a time (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW })
    server.clock.stop(NOW)
    const { db } = server.deps
    const { id: owner_id } = await server.createUser({ username: 'ada' })
    // More than are marked at once.
    const many = Array.from({ length: 450 }, (_, n) => ({
      owner_id,
      title: 'x',
      title_key: 'x',
      is_locked: 1 as const,
      proofid: `0000-${n}`,
      admin_desc: 'Fine',
      expire_time: NOW - 20_000,
      created_at: NOW,
      revision: 0,
    }))
    await db.insertInto('collections').values(many).execute()
    const countExpired = async () =>
      (await countStates(db, NOW)).filter(({ facts }) => !facts.is_active).reduce((sum, { amount }) => sum + amount, 0)
    assert.equal(await countExpired(), many.length)
    await markLapsed(server.deps)
    assert.equal(await countExpired(), many.length)
    const unmarked = await db.selectFrom('collections').select('id').where('lapsed', '=', 0).execute()
    assert.deepEqual(unmarked, [])
    assert.deepEqual((await checkCounts(server.deps)).wrong, [])
  })
}
