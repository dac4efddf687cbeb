import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import { CollectionStatus, collectionStatus, isOpen, isReviewable, tileParameters } from '@proofdesk/contract/status'
import { ENGINES, startTestServer } from '../../testing.ts'
import * as is from './status-filter.ts'
import { any, type Condition } from '../../db/list.ts'

const NOW = Date.UTC(2027, 0, 31, 18)

for (const engine of ENGINES) {
  test(`the status of a collection is the same rule in the database and on the screen (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { now: NOW })
    server.clock.stop(NOW)
    const ada = await server.signIn('ada')
    const owner = await server.createUser({ username: 'owner' })
    const adaId = (await ada.get('/user/info')).json().id
    const { db } = server.deps

    const rows: { id: number; facts: Parameters<typeof collectionStatus>[0] }[] = []
    for (const expireTime of [null, NOW - 1, NOW, NOW + 1])
      for (const is_locked of [0, 1] as const)
        for (const hasProof of [false, true])
          for (const admin_desc of [DEFAULT_ADMIN_DESC, 'Please add a page', DEFAULT_ADMIN_DESC.toLowerCase()]) {
            const proofid = hasProof ? `0000-${rows.length}` : null
            const { id } = await db
              .insertInto('collections')
              .values({
                owner_id: rows.length % 2 ? owner.id : adaId,
                title: 'x',
                title_key: 'x',
                is_locked,
                proofid,
                admin_desc,
                expire_time: expireTime,
                created_at: NOW,
                revision: 0,
              })
              .returning('id')
              .executeTakeFirstOrThrow()
            const is_active = expireTime === null || expireTime > NOW
            rows.push({ id, facts: { is_active, is_locked: is_locked === 1, proofid, admin_desc } })
          }

    const select = async (condition: Condition) =>
      (await db.selectFrom('collections as c').select('c.id').where(condition).orderBy('c.id').execute()).map(
        (row) => row.id,
      )
    const expected = (holds: (facts: Parameters<typeof collectionStatus>[0]) => boolean) =>
      rows.filter(({ facts }) => holds(facts)).map(({ id }) => id)

    await t.test('4.28 for every status and every combination of facts', async () => {
      assert.equal(rows.length, 48)
      for (const status of CollectionStatus.options)
        assert.deepEqual(
          await select(is.hasStatus(status, NOW)),
          expected((facts) => collectionStatus(facts) === status),
          status,
        )
    })

    await t.test('for what is open, and for what waits for a decision', async () => {
      const open = any([is.isOpenFor(adaId, NOW), is.isOpenFor(owner.id, NOW)])
      assert.deepEqual(await select(open), expected(isOpen))
      assert.deepEqual(await select(is.isUndecided(NOW)), expected(isReviewable))
    })

    await t.test('4.30 and each tile counts and lists exactly the rows of its status', async () => {
      const staff = await server.signIn('sam', { is_staff: true })
      for (const person of [ada, staff]) {
        const counts = (await person.get('/collections/counts/')).json()
        const everyone = person === staff
        const own = (id: number) => everyone || rows.findIndex((row) => row.id === id) % 2 === 0
        assert.equal(counts.all, rows.filter(({ id }) => own(id)).length)
        for (const status of CollectionStatus.options) {
          const ids = expected((facts) => collectionStatus(facts) === status).filter(own)
          const query = new URLSearchParams({ status, ordering: 'created_at' })
          assert.equal(counts[status], ids.length, status)
          const listed: number[] = []
          for (let page = 1; page <= Math.max(1, Math.ceil(ids.length / 10)); page += 1) {
            const answer = (await person.get(`/collections/?${query}&page=${page}`)).json()
            assert.equal(answer.count, ids.length)
            listed.push(...answer.results.map((row: { id: number }) => row.id))
          }
          assert.deepEqual(listed, ids, status)
          // The specification's parameters beside it never hide a row that a well-made collection can be in.
          const both = (
            await person.get(`/collections/?${query}&${new URLSearchParams(tileParameters(status))}`)
          ).json()
          const possible = ids.filter((id) => {
            const facts = rows.find((row) => row.id === id)?.facts
            return status !== 'approved' || facts?.is_locked
          })
          assert.equal(both.count, possible.length, `${status} with its parameters`)
        }
      }
    })

    await t.test('4.31 7.21 the four parameters alone mean literally what they say', async () => {
      const count = async (query: Record<string, string>) =>
        (await server.signIn('sam').then((sam) => sam.get(`/collections/?${new URLSearchParams(query)}`))).json().count
      const many = (holds: (facts: Parameters<typeof collectionStatus>[0]) => boolean) => expected(holds).length
      assert.equal(
        await count({ is_active: 'true' }),
        many((facts) => facts.is_active),
      )
      assert.equal(
        await count({ is_active: 'false' }),
        many((facts) => !facts.is_active),
      )
      assert.equal(
        await count({ is_locked: 'true' }),
        many((facts) => facts.is_locked),
      )
      assert.equal(
        await count({ is_locked: 'false' }),
        many((facts) => !facts.is_locked),
      )
      assert.equal(
        await count({ has_proofid: 'true' }),
        many((facts) => facts.proofid !== null),
      )
      assert.equal(
        await count({ has_proofid: 'false' }),
        many((facts) => facts.proofid === null),
      )
      assert.equal(
        await count({ exlude_admin_desc: DEFAULT_ADMIN_DESC }),
        many((facts) => facts.admin_desc !== DEFAULT_ADMIN_DESC),
      )
      assert.equal(await count({ exlude_admin_desc: '' }), rows.length)
      assert.equal(
        await count({ is_active: 'true', is_locked: 'true', has_proofid: 'false' }),
        many((facts) => facts.is_active && facts.is_locked && facts.proofid === null),
      )
    })
  })
}
