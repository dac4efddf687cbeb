import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { plantCollection, STATES } from '../../testing/collections.ts'
import {
  exchangeContentRoom,
  giveContentRoomBack,
  reviseOpenCollection,
  takeContentRoom,
} from '../collections/room/queries.ts'

/** What was allowed when a request began may not be any more when it writes: these updates ask by themselves. */
for (const engine of ENGINES)
  test(`the updates that count files in and out, and that change them, ask for the state once more (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.createUser({ username: 'ada' })
    const eve = await server.createUser({ username: 'eve' })
    const { db, now } = server.deps
    const open = ['opened', 'answered']

    for (const state of STATES)
      await t.test(`in a collection that is ${state}`, async () => {
        const { id } = await plantCollection(server, ada, state)
        const counts = () =>
          db
            .selectFrom('collections')
            .select(['content_count', 'content_bytes', 'content_pages', 'revision'])
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        const expectChange = async (run: () => Promise<boolean>, expected: boolean, by: number, files = by) => {
          const before = await counts()
          assert.equal(await run(), expected)
          const after = { ...(await counts()) }
          const change = expected ? by : 0
          assert.deepEqual(after, {
            content_count: before.content_count + (expected ? files : 0),
            content_bytes: before.content_bytes + 10 * change,
            content_pages: before.content_pages + 2 * change,
            revision: before.revision + (expected ? 1 : 0),
          })
        }
        await db
          .updateTable('collections')
          .set({ content_count: 5, content_bytes: 50, content_pages: 10 })
          .where('id', '=', id)
          .execute()
        const take = (ownerId: number) => takeContentRoom(db, id, ownerId, { sizeBytes: 10, pages: 2 }, now())
        const giveBack = (openFor: number | undefined) =>
          giveContentRoomBack(db, id, openFor, { size: 10, pages: 2 }, now())

        await expectChange(() => take(ada.id), open.includes(state), 1)
        await expectChange(() => take(eve.id), false, 1)
        await expectChange(() => giveBack(ada.id), open.includes(state), -1)
        await expectChange(() => giveBack(eve.id), false, -1)
        for (const { id: viewer } of [ada, eve]) {
          const isAllowed = viewer === ada.id && open.includes(state)
          const more = { sizeBytes: -10, pages: -2 }
          await expectChange(() => exchangeContentRoom(db, id, viewer, more, now()), isAllowed, -1, 0)
          await expectChange(() => reviseOpenCollection(db, id, viewer, now()), isAllowed, 0)
        }
        // A reviewer, until an approval is claimed.
        await expectChange(() => giveBack(undefined), [...open, 'sent'].includes(state), -1)
      })
  })
