import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { expectWithin } from '@proofdesk/certify/testing/pace'
import { ENGINES, startTestServer } from '../../testing.ts'
import { must, openCollection, sendCollection } from '../../testing/collections.ts'
import { findToken } from '../../testing/mailbox.ts'
import { makePdf } from '../../testing/small-files.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { readEvents, type EventReader } from '../../testing/event-reader.ts'

/** Longer than hints are gathered. */
const QUIET_MS = 1300
/** Longer than a hint takes through the database; one that is under way would reach whoever begins to listen. */
const TRAVEL_MS = 250
const WINDOW_NAME_OF_ADA = '0123456789abcdef'.repeat(2)

for (const engine of ENGINES) {
  test(`live events (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const url = await server.listen()
    const ada = await server.signIn('ada')
    const bob = await server.signIn('bob')
    const sam = await server.signIn('sam', { is_staff: true })
    const amy = await server.signIn('amy', { is_admin: true })
    const open: EventReader[] = []
    const listen = async (client: { access: string | undefined }) => {
      const reader = await readEvents(url, client.access)
      open.push(reader)
      return reader
    }
    const leaveAll = async () => {
      for (const reader of open.splice(0)) {
        reader.leave()
        await reader.ended
      }
      await pause(50)
    }

    await t.test('without an access token the answer is 401', async () => {
      for (const access of [undefined, 'A'.repeat(43), ada.refresh]) {
        const reader = await listen({ access })
        assert.equal(reader.status, 401)
      }
      await leaveAll()
    })

    await t.test('the stream begins at once, is not stored and not held back by a proxy', async () => {
      const reader = await listen(ada)
      assert.equal(reader.status, 200)
      assert.match(reader.headers.get('content-type') ?? '', /^text\/event-stream/)
      assert.equal(reader.headers.get('cache-control'), 'no-store, no-transform')
      assert.equal(reader.headers.get('x-accel-buffering'), 'no')
      assert.equal(reader.headers.get('x-content-type-options'), 'nosniff')
      await leaveAll()
    })

    await t.test('who leaves is no failure of the server', async () => {
      const left = () => server.logLines.filter((line) => line.includes('"request broke off"')).length
      const before = left()
      for (let n = 0; n < 3; n++) await listen(ada)
      await leaveAll()
      await waitUntil(() => left() === before + 3)
      assert.deepEqual(
        server.logLines.filter((line) => line.includes('"level":"error"')),
        [],
      )
    })

    await t.test('a rejection is told to the owner and the reviewers, and to nobody else', async () => {
      const id = await sendCollection(ada)
      // Its thumbnail is told too.
      await server.settle()
      await pause(TRAVEL_MS)
      const [owner, other, reviewer, admin] = [
        await listen(ada),
        await listen(bob),
        await listen(sam),
        await listen(amy),
      ]
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned.' }), 200)
      const told = [...(await owner.next()), ...(await owner.next())]
      assert.deepEqual(told.sort(), ['collections', 'notifications'])
      assert.deepEqual(await reviewer.next(), ['collections'])
      const quiet = await Promise.all([other, admin, reviewer].map((reader) => reader.isQuiet(QUIET_MS)))
      assert.deepEqual(quiet, [true, true, true])
      // What is told names topics only.
      assert.doesNotMatch(owner.text(), /unsigned|ada|\d/)
      await leaveAll()
    })

    await t.test('an approval is told once it is published, with its notification there to be read', async () => {
      const id = await sendCollection(ada)
      await server.settle()
      await pause(TRAVEL_MS)
      const owner = await listen(ada)
      const approving = sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine', expire_time: null })
      let told: string[] = []
      while (!told.includes('notifications')) told = await owner.next(20_000)
      const { results } = (await ada.get('/notification/')).json()
      assert.equal(results[0].type, 'APPROVED_COLLECTION')
      must(await approving, 200)
      await leaveAll()
    })

    await t.test('sending, a new file and a comment are told to those who see the collection', async () => {
      const reviewer = await listen(sam)
      const id = await openCollection(ada)
      assert.deepEqual(await reviewer.next(), ['collections'])
      await pause(TRAVEL_MS)
      const owner = await listen(ada)
      must(await sam.post('/comments/', { text: 'Hello', collection: id }), 201)
      assert.deepEqual(await owner.next(), ['comments'])
      assert.deepEqual(await reviewer.next(), ['comments'])
      await leaveAll()
    })

    await t.test(
      'a ticket is told to whoever opened it and to those who answer, an answer as a notification too',
      async () => {
        const [owner, other, answerer] = [await listen(ada), await listen(bob), await listen(amy)]
        const { id } = must(await ada.post('/ticket/', { title: 'Where is it?' }), 201)
        assert.deepEqual(await owner.next(), ['tickets'])
        assert.deepEqual(await answerer.next(), ['tickets'])
        must(await sam.post('/conversation/', { ticket: id, text: 'Here.' }), 201)
        assert.deepEqual((await owner.next()).sort(), ['notifications', 'tickets'])
        assert.deepEqual(await answerer.next(), ['tickets'])
        must(await sam.patch(`/ticket/${id}/`, { is_locked: true }), 200)
        assert.deepEqual(await owner.next(), ['tickets'])
        assert.ok(await other.isQuiet(QUIET_MS))
        await leaveAll()
      },
    )

    await t.test('what a window changed is told to all others of the same person, and not to it', async () => {
      const [own, other] = [WINDOW_NAME_OF_ADA, 'f'.repeat(32)].map((name) => ({ 'x-window': name }))
      const asking = await readEvents(url, ada.access, own)
      const looking = await readEvents(url, ada.access, other)
      open.push(asking, looking)
      const unnamed = await listen(ada)
      const { id } = must(await ada.post('/collections/', { title: 'Papers' }, own), 201)
      for (const reader of [looking, unnamed]) assert.deepEqual(await reader.next(), ['collections'])
      must(await ada.upload('/contents/', { collection: String(id) }, { name: 'a.pdf', bytes: makePdf() }, own), 201)
      for (const reader of [looking, unnamed]) assert.ok((await reader.next()).includes('collections'))
      // Its picture is drawn after the answer, and so is news to that window, too.
      assert.deepEqual(await asking.next(), ['contents'])
      assert.doesNotMatch(asking.text(), /collections/)
      // Nobody can silence another's window, nor one's own by a name that is none.
      must(await sam.post('/comments/', { text: 'Look', collection: id }, { 'x-window': 'f'.repeat(31) }), 201)
      for (const reader of [asking, looking, unnamed]) while (!(await reader.next()).includes('comments'));
      await leaveAll()
    })

    await t.test('a notification that is read is told to all windows of its person, and to nobody else', async () => {
      const [reader, another] = [await listen(ada), await listen(bob)]
      const [{ id }] = must(await ada.get('/notification/'), 200).results
      must(await ada.get(`/notification/check_read?id=${id}`), 202)
      assert.deepEqual(await reader.next(), ['notifications'])
      assert.ok(await another.isQuiet(QUIET_MS))
      await leaveAll()
    })

    await t.test(
      '4.42 a verified e-mail and a changed right are told to their person, and to nobody else',
      async () => {
        const { id } = await server.createUser({ username: 'nina', verified: false })
        const nina = await server.signIn('nina')
        const root = await server.signIn('root', { is_superuser: true })
        const [reader, another] = [await listen(nina), await listen(bob)]
        must(await nina.post('/profile/resend_verification_email/', {}), 200)
        const token = findToken((await server.mails()).at(-1), 'verify-email')
        must(await server.stranger.post('/auth/verify-email/', { token }), 200)
        assert.deepEqual(await reader.next(), ['account'])
        must(await root.patch(`/admin/users/${id}/`, { is_staff: true }), 200)
        assert.deepEqual(await reader.next(), ['account'])
        assert.ok(await another.isQuiet(QUIET_MS))
        await leaveAll()
      },
    )

    await t.test('hints in quick succession are told together', async () => {
      const reviewer = await listen(sam)
      for (let i = 0; i < 10; i++) server.deps.live.tell({ topics: ['collections'], reviewers: true })
      server.deps.live.tell({ topics: ['comments'], reviewers: true })
      const told = [await reviewer.next(), await reviewer.next()]
      assert.equal(told.length, 2)
      assert.deepEqual(told.flat().filter((topic) => topic === 'comments').length, 1)
      assert.ok(await reviewer.isQuiet(QUIET_MS))
      await leaveAll()
    })

    await t.test('a person has at most 5 streams: a sixth is refused with 429 and the others go on', async () => {
      const readers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => listen(ada)))
      const refused = readers.filter(({ status }) => status === 429)
      assert.equal(refused.length, 2)
      assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
      assert.equal((await listen(bob)).status, 200)
      const going = readers.filter(({ status }) => status === 200)
      assert.equal(going.length, 5)
      server.deps.live.tell({ topics: ['comments'], user: (await ada.get('/user/info')).json().id })
      for (const reader of going) assert.deepEqual(await reader.next(), ['comments'])
      going[0]?.leave()
      await pause(100)
      assert.equal((await listen(ada)).status, 200)
      assert.equal((await listen(ada)).status, 429)
      await leaveAll()
    })

    await t.test('asking for the headers alone begins no stream', async () => {
      const headers = { authorization: `Bearer ${bob.access}` }
      for (let i = 0; i < 6; i++)
        assert.equal((await fetch(`${url}/backend/api/v1/events/`, { method: 'HEAD', headers })).status, 405)
      assert.equal((await listen(bob)).status, 200)
      await leaveAll()
    })

    await t.test('a closing server ends the streams instead of waiting for them', async () => {
      const readers = [await listen(ada), await listen(sam)]
      const before = performance.now()
      await server.restart()
      await Promise.all(readers.map((reader) => reader.ended))
      expectWithin(performance.now() - before, 5000, 'closing')
      assert.equal(await readEvents(await server.listen(), ada.access).then(leaveAndTell), 200)
    })
  })
}

async function leaveAndTell(reader: EventReader): Promise<number> {
  reader.leave()
  await reader.ended
  return reader.status
}
