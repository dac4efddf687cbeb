import { IDEMPOTENCY_HEADER } from '@proofdesk/contract/route'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tables } from '../db/schema.ts'
import { insertCollection } from '../features/collections/queries.ts'
import { eraseUser } from '../erasure/erase-user.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import type { TestAnswer, TestClient } from '../testing/client.ts'
import { must, openCollection } from '../testing/collections.ts'
import { erasing } from '../testing/erasure.ts'
import { makeVisitor, openTicket, writeMessage } from '../testing/tickets.ts'
import { makeOnce, nameUser } from './make-once.ts'

const HOUR = 60 * 60 * 1000

const under = (key: string) => ({ [IDEMPOTENCY_HEADER]: key })

type Counted = 'collections' | 'comments' | 'tickets' | 'ticket_messages' | 'audit_entries' | 'made_once'

async function count({ deps: { db } }: TestServer, table: Counted | 'notifications' | 'outbox'): Promise<number> {
  const { n } = await db
    .selectFrom(table as keyof Tables)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** The four calls that make something, as the person who asks sends them. */
async function listCalls(ada: TestClient) {
  const collection = await openCollection(ada)
  const ticket = await openTicket(ada)
  return [
    { path: '/collections/', body: { title: 'Diploma' }, other: { title: 'Deed' }, table: 'collections' },
    { path: '/comments/', body: { collection, text: 'Hi' }, other: { collection, text: 'Ho' }, table: 'comments' },
    { path: '/ticket/', body: { title: 'Stamp' }, other: { title: 'Seal' }, table: 'tickets' },
    { path: '/conversation/', body: { ticket, text: 'Hi' }, other: { ticket, text: 'Ho' }, table: 'ticket_messages' },
  ] as const
}

const statusesOf = (answers: readonly TestAnswer[]) => answers.map(({ status }) => status)

for (const engine of ENGINES) {
  test(`what is sent twice (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const eve = await server.signIn('eve')
    const calls = await listCalls(ada)
    const { clock } = server
    clock.stop()

    await t.test('24.1 is made once under its key, and answered as the first time', async () => {
      for (const { path, body, table } of calls) {
        const first = await ada.post(path, body, under('once'))
        assert.equal(first.status, 201, first.body)
        const [made, told] = [await count(server, table), await count(server, 'audit_entries')]
        const again = await ada.post(path, body, under('once'))
        assert.deepEqual([again.status, again.json()], [201, first.json()], path)
        assert.deepEqual([await count(server, table), await count(server, 'audit_entries')], [made, told], path)
      }
    })

    await t.test('24.2 and twice without a key, and under another', async () => {
      for (const { path, body, table } of calls) {
        const before = await count(server, table)
        const answers = [await ada.post(path, body), await ada.post(path, body), await ada.post(path, body, under('2'))]
        assert.deepEqual(statusesOf(answers), [201, 201, 201])
        assert.equal(await count(server, table), before + 3, path)
      }
    })

    await t.test('24.3 at once is made once, and all are answered alike', async () => {
      for (const { path, body, table } of calls)
        for (let round = 0; round < 5; round += 1) {
          const [made, told] = [await count(server, table), await count(server, 'audit_entries')]
          const answers = await Promise.all(
            [1, 2, 3].map(() => ada.post(path, body, under(`race ${round}`.replace(' ', '-')))),
          )
          assert.deepEqual(statusesOf(answers), [201, 201, 201], answers.map((answer) => answer.body).join('\n'))
          assert.equal(new Set(answers.map((answer) => answer.body)).size, 1)
          assert.deepEqual(
            [await count(server, table), await count(server, 'audit_entries')],
            [made + 1, told + 1],
            path,
          )
        }
    })

    await t.test(
      '24.4 with something else under the same key is refused, also at once, and nothing is made',
      async () => {
        for (const { path, body, other, table } of calls) {
          must(await ada.post(path, body, under('kept')), 201)
          const before = await count(server, table)
          const refused = await ada.post(path, other, under('kept'))
          assert.deepEqual([refused.status, refused.json().code], [422, 'idempotency_key_reused'])
          assert.equal(await count(server, table), before, path)
          const both = await Promise.all([body, other].map((sent) => ada.post(path, sent, under('both'))))
          assert.deepEqual(
            statusesOf(both).toSorted((a, b) => a - b),
            [201, 422],
          )
          assert.equal(await count(server, table), before + 1, path)
        }
      },
    )

    await t.test('24.5 is another thing for another person, and of another kind', async () => {
      const made = must(await ada.post('/collections/', { title: 'Same' }, under('shared')), 201)
      const ofEve = must(await eve.post('/collections/', { title: 'Same' }, under('shared')), 201)
      assert.notEqual(ofEve.id, made.id)
      assert.equal(ofEve.username, 'eve')
      assert.equal(must(await ada.post('/ticket/', { title: 'Same' }, under('shared')), 201).title, 'Same')
      const hers = { collection: made.id, text: 'Mine' }
      must(await ada.post('/comments/', hers, under('hers')), 201)
      assert.equal((await eve.post('/comments/', hers, under('hers'))).json().code, 'collection_not_found')
    })

    await t.test('24.6 is not made anew once it is deleted', async () => {
      const collection = must(await ada.post('/collections/', { title: 'Gone' }, under('gone')), 201).id
      const comment = { collection: await openCollection(ada), text: 'Gone' }
      const commented = must(await ada.post('/comments/', comment, under('gone')), 201).id
      must(await ada.delete(`/collections/${collection}/`), 204)
      must(await ada.delete(`/comments/${commented}/`), 204)
      const before = [await count(server, 'collections'), await count(server, 'comments')]
      const again = await ada.post('/collections/', { title: 'Gone' }, under('gone'))
      assert.deepEqual([again.status, again.json().code], [404, 'collection_not_found'])
      const commentedAgain = await ada.post('/comments/', comment, under('gone'))
      assert.deepEqual([commentedAgain.status, commentedAgain.json().code], [404, 'comment_not_found'])
      assert.deepEqual([await count(server, 'collections'), await count(server, 'comments')], before)
    })

    await t.test('24.6 is answered as it stands by then', async () => {
      const { id } = must(await ada.post('/collections/', { title: 'Old' }, under('changed')), 201)
      must(await ada.patch(`/collections/${id}/`, { title: 'New' }), 200)
      assert.equal(must(await ada.post('/collections/', { title: 'Old' }, under('changed')), 201).title, 'New')
    })

    await t.test('24.7 leaves its key free where it was refused', async () => {
      assert.equal((await ada.post('/collections/', { title: ' ' }, under('free'))).status, 400)
      const collection = await openCollection(eve)
      assert.equal((await ada.post('/comments/', { collection, text: 'Hi' }, under('free'))).status, 404)
      must(await ada.post('/collections/', { title: 'Right' }, under('free')), 201)
      const own = await openCollection(ada)
      must(await ada.post('/comments/', { collection: own, text: 'Hi' }, under('free')), 201)
    })

    await t.test('24.8 has a key of 1 to 64 visible ASCII characters, and two headers are none', async () => {
      const send = (key: string) => ada.post('/collections/', { title: 'Keyed' }, under(key))
      for (const key of ['', 'a b', 'x'.repeat(65), 'é', 'a, a', 'a\tb']) {
        const { status, json } = await send(key)
        const { code, [IDEMPOTENCY_HEADER]: words } = json()
        assert.deepEqual(
          [status, code, words],
          [400, 'invalid', ['An Idempotency-Key is 1 to 64 visible ASCII characters.']],
        )
      }
      for (const key of ['x', '"8e03978e-40d5-43e8-bc93-6894a57f9324"', '!~'.repeat(32)])
        assert.equal((await send(key)).status, 201, key)
      // Where no call of this kind is made the header says nothing.
      assert.equal((await ada.get('/collections/', under('a b'))).status, 200)
    })

    await t.test('24.9 is forgotten after 24 hours, and not before', async () => {
      const send = async () => must(await ada.post('/collections/', { title: 'Daily' }, under('daily')), 201).id
      const first = await send()
      clock.advance(24 * HOUR - 1000)
      await server.sweep()
      const ben = await server.signIn('ada')
      const again = () => ben.post('/collections/', { title: 'Daily' }, under('daily'))
      assert.equal(must(await again(), 201).id, first)
      clock.advance(1000)
      await server.sweep()
      assert.equal(await count(server, 'made_once'), 0)
      assert.notEqual(must(await again(), 201).id, first)
    })

    await t.test('24.9 23.7 is forgotten with a person who is erased', async () => {
      const gone = await server.signIn('nora')
      must(await gone.post('/collections/', { title: 'Hers' }, under('hers')), 201)
      must(await gone.post('/ticket/', { title: 'Hers' }, under('hers')), 201)
      const rest = async () => db.selectFrom('made_once').select('owner').execute()
      const { id } = await eraseUser(erasing(server), server.deps.secrets, 'nora')
      const left = await rest()
      assert.ok(left.length > 0)
      assert.ok(left.every(({ owner }) => owner !== `user ${id}`))
    })
  })

  test(`24.3 of two that both found nothing made yet the database lets one in (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { id: ownerId } = await server.createUser({ username: 'ada' })
    const { promise: bothHere, resolve } = Promise.withResolvers<void>()
    let here = 0
    const call = { kind: 'collection', owner: nameUser(ownerId), key: 'k', sent: { title: 'Deed' } } as const
    const send = () =>
      makeOnce(server.deps, call, {
        admit: async () => {
          here += 1
          if (here === 2) resolve()
          await bothHere
          return undefined
        },
        make: async (transaction) => insertCollection(transaction, { ownerId, title: 'Deed', now: server.clock.now() }),
        find: async (id) => ({ id }),
      })
    const made = await Promise.all([send(), send()])
    assert.equal(here, 2)
    assert.equal(made[0].id, made[1].id)
    assert.deepEqual([await count(server, 'collections'), await count(server, 'made_once')], [1, 1])
  })

  test(`24.1 an answer in a ticket that is sent twice is told once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const ticket = await openTicket(ada)
    const send = () => sam.post('/conversation/', { ticket, text: 'Here it is' }, under('answer'))
    const answers = await Promise.all([send(), send(), send()])
    answers.push(await send())
    assert.deepEqual(statusesOf(answers), [201, 201, 201, 201])
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    assert.equal((await server.mails()).filter(({ to }) => to?.[0]?.address === 'ada@example.org').length, 1)
    assert.deepEqual([await count(server, 'notifications'), await count(server, 'ticket_messages')], [1, 1])
    const { message_count } = await server.deps.db
      .selectFrom('tickets')
      .select('message_count')
      .where('id', '=', ticket)
      .executeTakeFirstOrThrow()
    assert.equal(message_count, 1)
  })

  test(`24.10 what was made is answered also where nothing more may be made, and counts once (${engine})`, async (t) => {
    const server = await startTestServer(t, engine, { config: { maxUserCollections: 2 } })
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })

    await t.test('the last collection one may have', async () => {
      const collection = await openCollection(ada)
      const last = () => ada.post('/collections/', { title: 'Last' }, under('last'))
      assert.deepEqual(statusesOf(await Promise.all([last(), last(), last()])), [201, 201, 201])
      assert.equal((await last()).status, 201)
      const more = await ada.post('/collections/', { title: 'More' }, under('more'))
      assert.equal(more.json().code, 'collection_limit_reached')
      await db.updateTable('collections').set({ comment_count: 499 }).where('id', '=', collection).execute()
      const comment = () => ada.post('/comments/', { collection, text: 'Last' }, under('last'))
      assert.deepEqual(statusesOf(await Promise.all([comment(), comment(), comment()])), [201, 201, 201])
      assert.equal((await ada.post('/comments/', { collection, text: 'x' })).json().code, 'comments_full')
    })

    await t.test('a message in a ticket that is closed by then', async () => {
      const ticket = await openTicket(ada)
      assert.equal(await writeMessage(sam, ticket), 201)
      const send = () => ada.post('/conversation/', { ticket, text: 'Thanks' }, under('thanks'))
      const { id } = must(await send(), 201)
      must(await sam.patch(`/ticket/${ticket}/`, { is_locked: true }), 200)
      assert.equal(must(await send(), 201).id, id)
      assert.equal(await writeMessage(ada, ticket), 409)
    })

    await t.test('the last ticket of an hour, also of two at once', async () => {
      const eve = await server.signIn('eve')
      const open = (key: string) => eve.post('/ticket/', { title: 'Seal' }, under(key))
      for (let n = 0; n < 98; n += 2)
        assert.deepEqual(
          statusesOf(await Promise.all([`${n}`, `${n}`, `${n + 1}`, `${n + 1}`].map(open))),
          [201, 201, 201, 201],
        )
      for (let n = 0; n < 98; n += 1) assert.equal((await open(`${n}`)).status, 201)
      assert.equal((await open('98')).status, 201)
      // Whoever asks while the first has taken the last place, and made nothing yet, is told to come again.
      const last = statusesOf(await Promise.all([open('99'), open('99')]))
      assert.ok(last.includes(201) && last.every((status) => status === 201 || status === 429), String(last))
      assert.equal((await open('100')).json().code, 'rate_limited')
      assert.equal((await open('99')).status, 201)
      assert.equal((await eve.get('/ticket/')).json().count, 100)
    })
  })

  test(`24.11 a visitor's browser that is known sends once, and one that is not each time (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const visitor = makeVisitor(server.stranger, 'vera@example.org')
    const post = (path: string, body: object, key: string) => visitor.post(path, body, under(key))
    // There is nothing yet to tell this browser from another one by.
    must(await post('/ticket/', { title: 'Seal' }, 'a'), 201)
    visitor.cookie = undefined
    must(await post('/ticket/', { title: 'Seal' }, 'a'), 201)
    assert.equal(await count(server, 'tickets'), 2)
    // From here on it is.
    const first = must(await post('/ticket/', { title: 'Stamp' }, 'a'), 201)
    const known = visitor.cookie
    const twice = await Promise.all([1, 2].map(() => post('/ticket/', { title: 'Stamp' }, 'a')))
    assert.deepEqual(statusesOf(twice), [201, 201])
    assert.ok(twice.every((answer) => answer.json().id === first.id))
    assert.equal(visitor.cookie, known)
    assert.equal((await post('/ticket/', { title: 'Seal' }, 'a')).status, 422)
    const message = { ticket: first.id as number, text: 'Hello' }
    const sent = await Promise.all([1, 2, 3].map(() => post('/conversation/', message, 'b')))
    assert.equal(new Set(sent.map(({ body }) => body)).size, 1)
    assert.deepEqual([await count(server, 'tickets'), await count(server, 'ticket_messages')], [3, 1])
    // Another address in the same browser is something else.
    visitor.email = 'other@example.org'
    assert.equal((await post('/ticket/', { title: 'Stamp' }, 'a')).status, 422)
    // Another browser under the same key is another sender.
    const other = makeVisitor(server.stranger, 'vera@example.org')
    must(await other.post('/ticket/', { title: 'Own' }), 201)
    const ownTicket = must(await other.post('/ticket/', { title: 'Stamp' }, under('a')), 201)
    assert.notEqual(ownTicket.id, first.id)
    assert.equal((await other.post('/conversation/', message, under('b'))).status, 404)
  })
}
