import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectionEvents } from '../features/collections/events.ts'
import { ENGINES, startTestServer } from '../testing.ts'
import { recordView, sweepViews } from './record-view.ts'

const MINUTE_MS = 60_000
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS

for (const engine of ENGINES) {
  test(`10.2 views are recorded again at once after a clock has run ahead, and then once within a quarter of an hour (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { deps, clock } = server
    const sam = await server.createUser({ username: 'sam', is_staff: true })
    clock.stop()
    const now = clock.now()
    const collection = { id: 7, owner_id: sam.id + 1, title: 'Degree', submission_number: 1 }
    const look = () => recordView(deps, collectionEvents.collection_viewed(sam.id, collection))
    const count = async () => (await deps.db.selectFrom('audit_entries').select('id').execute()).length
    const lookAgain = async () => {
      await Promise.all([look(), look(), look()])
      return count()
    }

    clock.stop(now + YEAR_MS)
    assert.equal(await lookAgain(), 1)
    clock.stop(now)
    assert.equal(await lookAgain(), 2)
    clock.advance(14 * MINUTE_MS)
    assert.equal(await lookAgain(), 2)
    clock.advance(MINUTE_MS)
    assert.equal(await lookAgain(), 3)
    // Clocks of two nodes differ by some seconds.
    clock.advance(-MINUTE_MS)
    assert.equal(await lookAgain(), 3)

    await t.test('and what such a clock left behind is swept', async () => {
      clock.stop(now + YEAR_MS)
      await look()
      clock.stop(now)
      await sweepViews(deps)
      assert.deepEqual(await deps.db.selectFrom('audit_views').selectAll().execute(), [])
    })
  })
}
