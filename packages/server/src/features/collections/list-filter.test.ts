import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC, PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import { CollectionStatus } from '@proofdesk/contract/status'
import { all, findCut, type Condition } from '../../db/list.ts'
import { ENGINES, startTestServer } from '../../testing.ts'
import { countStates } from './counts/queries.ts'
import { isCounted, letsThrough, listConditions, splitByTile, type CollectionFilter } from './list-filter.ts'
import { listCollections } from './list/queries.ts'
import type { CollectionOrdering } from './queries.ts'
import { isActive } from './status-filter.ts'

const NOW = Date.UTC(2027, 0, 31, 18)
const ORDERS: CollectionOrdering[] = ['created_at', 'title', 'expire_time']

function listFilters(): CollectionFilter[] {
  const flags = [undefined, true, false]
  const found: CollectionFilter[] = []
  for (const is_active of flags)
    for (const is_locked of flags)
      for (const has_proofid of flags)
        for (const exlude_admin_desc of [undefined, DEFAULT_ADMIN_DESC, 'Sign it'])
          for (const status of [undefined, ...CollectionStatus.options])
            found.push({ is_active, is_locked, has_proofid, exlude_admin_desc, status })
  return found
}

for (const engine of ENGINES)
  test(`12.7 whatever everyone’s collections are filtered by, the count and the pages are exactly those of the filter (${engine})`, async (t) => {
    const { deps, clock, createUser } = await startTestServer(t, engine, { now: NOW })
    // On a busy machine this takes longer than until what expires in a moment is marked.
    clock.stop(NOW)
    const owner = await createUser({ username: 'ada' })
    const { db } = deps
    const combinations = [null, NOW - 2, NOW - 1, NOW, NOW + 1].flatMap((expire_time) =>
      [0, 1].flatMap((locked) =>
        [false, true].flatMap((hasProof) =>
          [DEFAULT_ADMIN_DESC, 'Sign it'].map((admin_desc) => ({ expire_time, locked, hasProof, admin_desc })),
        ),
      ),
    )
    await db
      .insertInto('collections')
      .values(
        combinations.map(({ expire_time, locked, hasProof, admin_desc }, n) => ({
          owner_id: owner.id,
          title: 'x',
          title_key: `${(n * 7) % 5}`,
          created_at: NOW - ((n * 3) % 4),
          revision: 0,
          expire_time,
          admin_desc,
          is_locked: locked === 1 ? 1 : 0,
          proofid: hasProof ? `0000-${n}` : null,
          // Some of what has expired is marked so.
          lapsed: expire_time === NOW - 2 ? 1 : 0,
        })),
      )
      .execute()

    const select = async (part: Condition) =>
      (await db.selectFrom('collections as c').selectAll('c').where(part).orderBy('c.id').execute()).map(({ id }) => id)
    const states = await countStates(db, NOW)
    for (const filter of listFilters()) {
      const said = JSON.stringify(filter)
      const expected = await select(all(listConditions(filter, NOW)))
      const counted = states.filter(({ facts }) => letsThrough(filter, facts))
      if (isCounted(filter))
        assert.equal(
          counted.reduce((sum, { amount }) => sum + amount, 0),
          expected.length,
          said,
        )
      const { parts, few } = splitByTile(filter, NOW)
      const found = await Promise.all([...parts, ...(few ? [few] : [])].map(select))
      assert.deepEqual(
        found.flat().toSorted((a, b) => a - b),
        expected,
        said,
      )
    }

    // What waits for a decision is never expired here, and then no expired row is looked at for it.
    const queue: CollectionFilter = { is_locked: true, has_proofid: false }
    assert.equal(splitByTile(queue, NOW).parts.length, 2)
    const { parts, few } = splitByTile(queue, NOW, ({ is_active }) => is_active)
    assert.deepEqual([parts.length, few], [1, undefined])
    assert.deepEqual(await select(parts[0]!), await select(all([...listConditions(queue, NOW), isActive(NOW)])))

    // In every order, of parts and few.
    const filter: CollectionFilter = { has_proofid: true }
    const rows = await db.selectFrom('collections').selectAll().where('proofid', 'is not', null).execute()
    const placesOf = (row: (typeof rows)[number]): Record<CollectionOrdering, number> => ({
      title: Number(row.title_key),
      created_at: row.created_at,
      expire_time: row.expire_time ?? Number.MAX_SAFE_INTEGER,
    })
    for (const by of ORDERS)
      for (const direction of ['asc', 'desc'] as const) {
        const ids = rows.toSorted((a, b) => placesOf(a)[by] - placesOf(b)[by] || a.id - b.id).map(({ id }) => id)
        const listed: number[] = []
        for (let page = 1; page <= totalPages(ids.length, PAGE_SIZE); page += 1) {
          const cut = findCut(page, ids.length)
          const shown = await listCollections(db, splitByTile(filter, NOW), { by, direction }, cut, NOW)
          listed.push(...shown.map(({ id }) => id))
        }
        assert.deepEqual(listed, direction === 'asc' ? ids : ids.toReversed(), `${by} ${direction}`)
      }
  })
