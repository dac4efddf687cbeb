import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { findCaller } from '../sessions/service.ts'
import { findViewers } from '../sessions/service.ts'
import { openEventStreams } from './streams.ts'

const TIMING = { heartbeatMs: 20, checkMs: 30, gatherMs: 10 }

for (const engine of ENGINES) {
  test(`the session behind a live stream (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { live, logger } = server.deps
    const streams = openEventStreams({ live, logger, findViewers: (ids) => findViewers(server.deps, ids) }, TIMING)
    t.after(() => streams.close())

    async function open(username: string, user?: { is_staff?: boolean }) {
      const client = await server.signIn(username, user)
      const signedIn = await findCaller(server.deps, client.access ?? '')
      assert.ok(signedIn)
      const body = streams.open(signedIn)
      const stream = { client, id: signedIn.viewer.id, text: '', isOver: false }
      body.setEncoding('utf8')
      body.on('data', (chunk: string) => (stream.text += chunk))
      body.on('end', () => (stream.isOver = true))
      return stream
    }

    type Stream = Awaited<ReturnType<typeof open>>

    /** So long that its session has been looked at anew: heartbeats come on their way, whatever else is slow. */
    async function letBeat(stream: Stream): Promise<void> {
      const count = () => stream.text.split(':\n\n').length
      const before = count()
      await waitUntil(() => count() >= before + 10)
    }

    await t.test('something is sent even when nothing changes', async () => {
      const ada = await open('ada')
      await letBeat(ada)
      assert.equal(ada.isOver, false)
    })

    await t.test('outlives its access token, and ends with its session but not with another one', async () => {
      const [first, second] = [await open('ada'), await open('ada')]
      server.clock.advance(60 * 60 * 1000)
      await letBeat(first)
      assert.deepEqual([first.isOver, second.isOver], [false, false])
      await first.client.post('/auth/logout/', { refresh: first.client.refresh })
      await waitUntil(() => first.isOver)
      await letBeat(second)
      assert.equal(second.isOver, false)
    })

    await t.test('ends when its person is deactivated', async () => {
      const bob = await open('bob')
      await server.deps.db.updateTable('users').set({ is_active: 0 }).where('id', '=', bob.id).execute()
      await waitUntil(() => bob.isOver)
    })

    await t.test('hears what reviewers hear only while its person is one', async () => {
      const sam = await open('sam', { is_staff: true })
      await server.deps.db.updateTable('users').set({ is_staff: 0 }).where('id', '=', sam.id).execute()
      await letBeat(sam)
      live.tell({ topics: ['collections'], reviewers: true })
      await letBeat(sam)
      assert.doesNotMatch(sam.text, /changed/)
      live.tell({ topics: ['collections'], user: sam.id })
      await waitUntil(() => /event: changed\ndata: \["collections"\]\n\n/.test(sam.text))
    })

    await t.test('nothing is piled up for one that does not read', async () => {
      const client = await server.signIn('eve')
      const signedIn = await findCaller(server.deps, client.access ?? '')
      assert.ok(signedIn)
      const body = streams.open(signedIn)
      for (let i = 0; i < 20; i++) {
        live.tell({ topics: ['comments'], user: signedIn.viewer.id })
        await pause(15)
      }
      // Hints keep their order, and this one is nobody's: it comes last, when all of those have come.
      const last = Promise.withResolvers<void>()
      const stop = live.subscribe((change) => change !== 'everything' && change.topics.length === 0 && last.resolve())
      live.tell({ topics: [] })
      await last.promise
      stop()
      await letBeat(await open('ada'))
      assert.ok(body.readableLength < 200)
      // The hint is not lost either: it comes once there is room.
      let text = ''
      body.setEncoding('utf8')
      body.on('data', (chunk: string) => (text += chunk))
      await waitUntil(() => text.split(':\n\n').length > 5)
      assert.equal(text.match(/changed/g)?.length, 1)
    })

    await t.test('none begins once they are closed', async () => {
      streams.close()
      const client = await server.signIn('ada')
      const signedIn = await findCaller(server.deps, client.access ?? '')
      assert.ok(signedIn)
      assert.throws(() => streams.open(signedIn), /too many/i)
    })
  })
}
