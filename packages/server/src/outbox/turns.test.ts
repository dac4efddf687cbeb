import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../testing.ts'
import { defineWork, enqueue } from './outbox.ts'

const drawThumbnail = defineWork<{ content_id: number }>('draw_nothing')
const [ADA, BEN, CEM] = [1, 2, 3]

for (const engine of ENGINES) {
  test(`9.34 a row that fails again and again stops nobody's turn (${engine})`, async (t) => {
    const { deps, clock } = await startTestServer(t, engine)
    const { db } = deps
    clock.stop()
    let content_id = 0
    const add = async (askedBy: number) => {
      await enqueue(db, clock.now(), drawThumbnail({ content_id: ++content_id }, askedBy))
      return content_id
    }
    const find = async (id: number) =>
      await db
        .selectFrom('outbox')
        .select(['id', 'turn'])
        .where('payload', '=', JSON.stringify({ content_id: id }))
        .executeTakeFirstOrThrow()
    const defer = async (id: number) =>
      db
        .updateTable('outbox')
        .set({ due_at: clock.now() + 60_000, attempts: 5 })
        .where('id', '=', (await find(id)).id)
        .execute()
    const drop = async (id: number) =>
      db
        .deleteFrom('outbox')
        .where('id', '=', (await find(id)).id)
        .execute()

    await defer(await add(ADA))
    const ofBen: number[] = []
    for (let n = 0; n < 6; n++) ofBen.push(await add(BEN))
    // Four of Ben's are done: whoever comes now takes their turn with the fifth, and not before it for ever.
    for (const id of ofBen.slice(0, 4)) await drop(id)
    assert.equal((await find(await add(CEM))).turn, (await find(ofBen[4]!)).turn)

    await t.test('also where nothing else waits', async () => {
      const { turn } = await find(ofBen[5]!)
      for (const { id } of await db.selectFrom('outbox').select('id').where('asked_by', '=', CEM).execute())
        await db.deleteFrom('outbox').where('id', '=', id).execute()
      await drop(ofBen[4]!)
      await defer(ofBen[5]!)
      assert.equal((await find(await add(CEM))).turn, turn)
    })
  })
}
