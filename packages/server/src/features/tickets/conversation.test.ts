import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ticketStatusAfter, TicketStatus } from '@proofdesk/contract/status'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { openTicket, readStatus, signInRoles, writeMessage } from '../../testing/tickets.ts'

/** Long enough for a request to have looked at the ticket and to wait for its turn to write. */
const LOOK_MS = 60
const PATIENCE_MS = 10_000

/**
 * Sends calls that all see the ticket as it was before any of them; they write in the order given.
 * @param change Happens before all of them, and is seen by none until it writes.
 */
async function sendTogether<T>(
  { deps: { db }, engine }: TestServer,
  ticketId: number,
  calls: (() => Promise<T>)[],
  change: (transaction: Db) => Promise<unknown> = async () => {},
): Promise<T[]> {
  const release = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const held = db.transaction().execute(async (transaction) => {
    // Elsewhere the one connection that writes is held; here it takes a lock of the row, which is handed on in order.
    if (engine === 'postgres')
      await transaction.selectFrom('tickets').select('id').where('id', '=', ticketId).forUpdate().execute()
    await change(transaction)
    holding.resolve()
    await release.promise
  })
  await holding.promise
  const answers: Promise<T>[] = []
  for (const call of calls) {
    answers.push(call())
    if (engine === 'postgres') await waitForWaiting(db, answers.length)
    else await setTimeout(LOOK_MS)
  }
  release.resolve()
  await held
  return Promise.all(answers)
}

/** Until so many transactions of this database wait for a lock. */
async function waitForWaiting(db: Db, count: number): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; ;) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows[0]?.n === count) return
    assert.ok(Date.now() < end, `${rows[0]?.n} of ${count} wait`)
    await setTimeout(5)
  }
}

for (const engine of ENGINES) {
  test(`the conversation of a ticket (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, staff, other, admin, superuser } = await signInRoles(server)

    await t.test(
      '3.26 4.40 the first answer takes it and makes it ANSWERED; the asker then IN_PROGRESS; and so on',
      async () => {
        const id = await openTicket(ada)
        assert.equal(await writeMessage(ada, id), 201)
        assert.equal(await readStatus(ada, id), 'OPEN')
        assert.equal(await writeMessage(staff, id), 201)
        assert.equal(await readStatus(ada, id), 'ANSWERED')
        assert.equal((await ada.get(`/ticket/${id}/`)).json().admin_username, 'sam')
        assert.equal(await writeMessage(staff, id), 201)
        assert.equal(await readStatus(ada, id), 'ANSWERED')
        assert.equal(await writeMessage(ada, id), 201)
        assert.equal(await readStatus(ada, id), 'IN_PROGRESS')
        assert.equal(await writeMessage(ada, id), 201)
        assert.equal(await readStatus(ada, id), 'IN_PROGRESS')
        assert.equal(await writeMessage(staff, id), 201)
        assert.equal(await readStatus(ada, id), 'ANSWERED')
      },
    )

    await t.test('the status rule is that of the contract, from every status', async () => {
      for (const before of TicketStatus.options) {
        for (const writer of ['asker', 'admin'] as const) {
          const id = await openTicket(ada)
          await server.deps.db.updateTable('tickets').set({ status: before }).where('id', '=', id).execute()
          assert.equal(await writeMessage(writer === 'asker' ? ada : staff, id), 201)
          assert.equal(await readStatus(ada, id), ticketStatusAfter(before, writer))
        }
      }
    })

    await t.test('admins and superusers answer too, and have taken it then', async () => {
      for (const [client, username] of [
        [admin, 'adam'],
        [superuser, 'sue'],
      ] as const) {
        const id = await openTicket(ada)
        assert.equal(await writeMessage(client, id), 201)
        assert.equal((await ada.get(`/ticket/${id}/`)).json().admin_username, username)
        assert.equal(await writeMessage(staff, id), 403)
      }
    })

    await t.test('where another has taken it, only a superuser may still answer', async () => {
      const id = await openTicket(ada)
      await writeMessage(staff, id)
      for (const client of [other, admin]) {
        const answer = await client.post('/conversation/', { text: 'me too', ticket: id })
        assert.equal(answer.status, 403)
        assert.equal(answer.json().detail, 'Not Allowed')
      }
      assert.equal(await writeMessage(superuser, id), 201)
      assert.equal((await ada.get(`/ticket/${id}/`)).json().admin_username, 'sam')
      assert.equal((await ada.get(`/conversation/?ticket_id=${id}`)).json().count, 2)
    })

    await t.test('of two first answers at once one takes it and the other is refused', async () => {
      const id = await openTicket(ada)
      const statuses = await sendTogether(server, id, [() => writeMessage(staff, id), () => writeMessage(other, id)])
      // PostgreSQL in process has one connection: there the second sees what the first did, and is told 'Not Allowed'.
      assert.deepEqual(statuses, [201, engine === 'pglite' ? 403 : 409])
      const conversation = (await ada.get(`/conversation/?ticket_id=${id}`)).json()
      assert.equal(conversation.count, 1)
      assert.equal(conversation.results[0].username, 'sam')
      assert.equal((await ada.get(`/ticket/${id}/`)).json().admin_username, 'sam')
    })

    await t.test('reviewers need a verified e-mail to see, to answer and to close', async () => {
      const unverified = await server.signIn('nick', { is_staff: true, verified: false })
      const id = await openTicket(ada)
      assert.equal((await unverified.get(`/ticket/${id}/`)).status, 404)
      assert.equal(await writeMessage(unverified, id), 404)
      assert.equal((await unverified.patch(`/ticket/${id}/`, { is_locked: true })).status, 404)
    })

    await t.test('4.41 a closed ticket takes no message, from nobody', async () => {
      const id = await openTicket(ada)
      await writeMessage(staff, id)
      await staff.patch(`/ticket/${id}/`, { is_locked: true })
      for (const client of [ada, staff, superuser]) {
        const answer = await client.post('/conversation/', { text: 'one more', ticket: id })
        assert.equal(answer.status, 409)
        assert.equal(answer.json().code, 'ticket_closed')
      }
      assert.equal((await ada.get(`/conversation/?ticket_id=${id}`)).json().count, 1)
      assert.equal(await readStatus(ada, id), 'ANSWERED')
      await staff.patch(`/ticket/${id}/`, { is_locked: false })
      assert.equal(await writeMessage(ada, id), 201)
    })

    await t.test('a message and a closing at once: the message stands before it, or not at all', async () => {
      for (const writer of [ada, staff]) {
        for (const isClosedFirst of [true, false]) {
          const id = await openTicket(ada)
          await writeMessage(staff, id)
          const before = await readStatus(ada, id)
          const close = async () => (await staff.patch(`/ticket/${id}/`, { is_locked: true })).status
          const write = () => writeMessage(writer, id)
          const statuses = await sendTogether(server, id, isClosedFirst ? [close, write] : [write, close])
          assert.deepEqual(statuses, isClosedFirst ? [200, 409] : [201, 200])
          const { count } = (await ada.get(`/conversation/?ticket_id=${id}`)).json()
          assert.equal(count, isClosedFirst ? 1 : 2)
          if (isClosedFirst) assert.equal(await readStatus(ada, id), before)
        }
      }
    })

    await t.test('a message into a ticket that is erased in this very moment finds none', async () => {
      for (const client of [ada, staff]) {
        const id = await openTicket(ada)
        const erase = (transaction: Db) => transaction.deleteFrom('tickets').where('id', '=', id).execute()
        assert.deepEqual(await sendTogether(server, id, [() => writeMessage(client, id)], erase), [404])
      }
    })

    await t.test('6.44 who closes or reopens what somebody else has taken in this very moment is refused', async () => {
      const { id: adminId } = (await other.get('/user/info')).json()
      for (const isLocked of [true, false]) {
        const id = await openTicket(ada)
        await writeMessage(staff, id)
        const close = async () => (await staff.patch(`/ticket/${id}/`, { is_locked: true })).status
        const take = (transaction: Db) =>
          transaction
            .updateTable('tickets')
            .set({ admin_id: adminId, is_locked: isLocked ? 1 : 0 })
            .where('id', '=', id)
            .execute()
        assert.deepEqual(await sendTogether(server, id, [close], take), [403])
        assert.equal((await ada.get(`/ticket/${id}/`)).json().is_locked, isLocked)
      }
    })

    await t.test(
      '5.28 a message that is empty or too long is refused with the words of the specification',
      async () => {
        const id = await openTicket(ada)
        const empty = await ada.post('/conversation/', { text: ' \n ', ticket: id })
        assert.equal(empty.status, 400)
        assert.deepEqual(empty.json().text, ['Message cannot be empty'])
        assert.equal((await ada.post('/conversation/', { text: 'x'.repeat(2001), ticket: id })).status, 400)
        for (const ticket of ['x', 0, -1, 1.5, 2 ** 53, null])
          assert.equal((await ada.post('/conversation/', { text: 'x', ticket })).status, 400)
      },
    )

    await t.test('7.47 the conversation comes whole, oldest first, and says who is of the administration', async () => {
      const id = await openTicket(ada)
      for (const [client, text] of [
        [ada, 'one'],
        [staff, 'two'],
        [ada, 'three'],
      ] as const)
        await writeMessage(client, id, text)
      const { results, next, count } = (await staff.get(`/conversation/?ticket_id=${id}`)).json()
      assert.deepEqual([next, count], [null, 3])
      assert.deepEqual(
        results.map((message: Record<string, unknown>) => [message['text'], message['username'], message['is_admin']]),
        [
          ['one', 'ada', false],
          ['two', 'sam', true],
          ['three', 'ada', false],
        ],
      )
      const views = await server.deps.db
        .selectFrom('audit_entries')
        .select('action')
        .where('action', '=', 'ticket_viewed')
        .where('object_id', '=', id)
        .execute()
      assert.equal(views.length, 1, '10.2 that staff read it is recorded')
      assert.equal((await staff.get('/conversation/')).status, 400)
      assert.equal((await staff.get('/conversation/?ticket_id=abc')).status, 400)
    })
  })

  test(`an answer tells the asker (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, staff } = await signInRoles(server)
    const una = await server.signIn('una', { verified: false })

    await t.test('3.24 by the notification ANSWER_TICKET with the ticket’s id, and by mail', async () => {
      const id = await openTicket(ada, 'Lost <seal>')
      await writeMessage(ada, id)
      assert.equal((await ada.get('/notification/')).json().count, 0)
      await writeMessage(staff, id, 'We found it & kept it.')
      const [notification, ...more] = (await ada.get('/notification/')).json().results
      assert.equal(more.length, 0)
      assert.deepEqual(
        [notification.type, notification.path, notification.is_read],
        ['ANSWER_TICKET', String(id), false],
      )
      assert.equal((await staff.get('/notification/')).json().count, 0)
      const [mail, ...moreMails] = await server.mails()
      assert.equal(moreMails.length, 0)
      assert.equal(mail?.to?.[0]?.address, 'ada@example.org')
      assert.equal(mail?.subject, 'Answer to: Lost <seal>')
      assert.match(mail?.text ?? '', /We found it & kept it\./)
      assert.match(mail?.text ?? '', new RegExp(`${server.config.publicUrl}/ticket\n`))
      assert.ok(!mail?.html?.includes('<seal>'))
    })

    await t.test('nobody is mailed at an address that is not verified', async () => {
      const before = (await server.mails()).length
      await writeMessage(staff, await openTicket(una))
      assert.equal((await server.mails()).length, before)
    })

    await t.test('nor is who is shut out', async () => {
      const max = await server.signIn('max')
      const id = await openTicket(max)
      await server.deps.db.updateTable('users').set({ is_active: 0 }).where('username', '=', 'max').execute()
      const before = (await server.mails()).length
      assert.equal(await writeMessage(staff, id), 201)
      assert.equal((await server.mails()).length, before)
    })

    await t.test('a refused answer tells nobody anything', async () => {
      const id = await openTicket(ada)
      await writeMessage(staff, id)
      await staff.patch(`/ticket/${id}/`, { is_locked: true })
      const before = [(await server.mails()).length, (await ada.get('/notification/')).json().count]
      assert.equal(await writeMessage(staff, id), 409)
      assert.deepEqual([(await server.mails()).length, (await ada.get('/notification/')).json().count], before)
    })
  })
}
