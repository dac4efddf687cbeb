import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_BASE } from '@proofdesk/contract/route'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { TICKET_MESSAGE } from './limits.ts'
import { makeVisitor, listTitles, openTicket, signInRoles, writeMessage } from '../../testing/tickets.ts'

for (const engine of ENGINES) {
  test(`tickets (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, eve, staff, other, admin, superuser } = await signInRoles(server)

    await t.test('6.8 7.46 an ordinary user opens one; it is OPEN, not closed, and nobody has taken it', async () => {
      const answer = await ada.post('/ticket/', { title: '  Lost seal ' })
      assert.equal(answer.status, 201)
      const { id, created_at: createdAt, ...ticket } = answer.json()
      assert.deepEqual(ticket, {
        ticket_id: id,
        title: 'Lost seal',
        status: 'OPEN',
        is_locked: false,
        username: 'ada',
        email: 'ada@example.org',
        admin_username: null,
        is_own: true,
        is_unread: false,
        may: { write: true, close: false },
      })
      assert.ok(!Number.isNaN(Date.parse(createdAt)))
      assert.equal(answer.headers['set-cookie'], undefined)
    })

    await t.test('5.27 a title is required', async () => {
      for (const body of [{ title: '  ' }, { title: '' }]) {
        const answer = await ada.post('/ticket/', body)
        assert.equal(answer.status, 400)
        assert.deepEqual(answer.json().title, ['Ticket title is required.'])
      }
      assert.equal((await ada.post('/ticket/', {})).status, 400)
      assert.equal((await ada.post('/ticket/', { title: 'x'.repeat(201) })).status, 400)
      assert.equal((await ada.post('/ticket/', { title: 'a\u0000b' })).status, 400)
    })

    await t.test('a user whose e-mail is not verified may open one and write in it', async () => {
      const una = await server.signIn('una', { verified: false })
      assert.equal(await writeMessage(una, await openTicket(una, 'No mail came')), 201)
    })

    await t.test('6.26 staff, admin and superuser cannot open one', async () => {
      for (const client of [staff, admin, superuser])
        assert.equal((await client.post('/ticket/', { title: 'x' })).status, 403)
    })

    await t.test('6.9 6.24 ordinary users see their own alone; staff, admin and superuser see all', async () => {
      await openTicket(eve, 'Of Eve')
      assert.deepEqual(await listTitles(eve), ['Of Eve'])
      for (const client of [staff, admin, superuser]) assert.ok((await listTitles(client)).includes('Of Eve'))
      assert.ok(!(await listTitles(ada)).includes('Of Eve'))
    })

    await t.test('another’s ticket looks like a missing one', async () => {
      const id = await openTicket(ada)
      const missing = await eve.get('/ticket/9007199254740991/')
      assert.equal(missing.status, 404)
      for (const answer of [
        await eve.get(`/ticket/${id}/`),
        await eve.get(`/conversation/?ticket_id=${id}`),
        await eve.post('/conversation/', { text: 'hi', ticket: id }),
        await eve.patch(`/ticket/${id}/`, { is_locked: true }),
      ]) {
        assert.equal(answer.status, 404)
        assert.deepEqual(answer.json(), missing.json())
      }
    })

    await t.test('the one who took it closes and reopens it, and a superuser; nobody else', async () => {
      const id = await openTicket(ada)
      const lock = (client: TestClient, isLocked: boolean) => client.patch(`/ticket/${id}/`, { is_locked: isLocked })
      assert.equal((await lock(staff, true)).status, 403, 'nobody has taken it yet')
      await writeMessage(staff, id)
      for (const client of [ada, other, admin]) assert.equal((await lock(client, true)).status, 403)
      assert.equal((await server.stranger.patch(`/ticket/${id}/`, { is_locked: true })).status, 401)
      assert.equal((await ada.get(`/ticket/${id}/`)).json().is_locked, false)
      const closed = await lock(staff, true)
      assert.equal(closed.status, 200)
      assert.equal(closed.json().is_locked, true)
      assert.equal((await lock(staff, true)).json().is_locked, true, 'closing twice changes nothing')
      assert.equal((await lock(superuser, false)).json().is_locked, false)
      assert.equal((await lock(superuser, true)).json().is_locked, true)
      assert.equal((await lock(other, false)).status, 403)
      assert.equal((await lock(staff, false)).json().status, 'ANSWERED')
      assert.equal((await staff.patch(`/ticket/${id}/`, { is_locked: 'yes' })).status, 400)
      const recorded = await server.deps.db
        .selectFrom('audit_entries')
        .select('action')
        .where('object_kind', '=', 'ticket')
        .where('object_id', '=', id)
        .where('action', 'in', ['ticket_closed', 'ticket_reopened'])
        .orderBy('id')
        .execute()
      assert.deepEqual(
        recorded.map(({ action }) => action),
        ['ticket_closed', 'ticket_reopened', 'ticket_closed', 'ticket_reopened'],
        'what changes nothing is not recorded',
      )
    })

    await t.test('who became staff still asks in their own ticket and does not take it', async () => {
      const cleo = await server.signIn('cleo')
      const id = await openTicket(cleo)
      await server.deps.db.updateTable('users').set({ is_staff: 1 }).where('username', '=', 'cleo').execute()
      assert.equal(await writeMessage(cleo, id), 201)
      const ticket = (await cleo.get(`/ticket/${id}/`)).json()
      assert.deepEqual([ticket.status, ticket.admin_username, ticket.is_own], ['OPEN', null, true])
      assert.equal((await cleo.patch(`/ticket/${id}/`, { is_locked: true })).status, 403)
    })

    await t.test('without a token there is nothing to see, and a bad token is 401', async () => {
      const answer = await server.stranger.get('/ticket/')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json(), { count: 0, count_capped: false, next: null, previous: null, results: [] })
      for (const authorization of ['Bearer nonsense', `Bearer ${'A'.repeat(43)}`, 'Basic YTpi'])
        assert.equal((await server.stranger.get('/ticket/?email=ada@example.org', { authorization })).status, 401)
    })
  })

  test(`limits on tickets (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    const openFrom = async (remoteAddress: string, email: string) =>
      (
        await server.inject({
          method: 'POST',
          url: `${API_BASE}/ticket/?email=${email}`,
          payload: { title: 'A' },
          remoteAddress,
        })
      ).statusCode

    await t.test('a ticket holds at most 500 messages, also when two come at once', async () => {
      const id = await openTicket(ada)
      await server.deps.db.updateTable('tickets').set({ message_count: 499 }).where('id', '=', id).execute()
      const statuses = await Promise.all([writeMessage(ada, id), writeMessage(ada, id)])
      assert.deepEqual(statuses.toSorted(), [201, 400])
      assert.equal((await ada.post('/conversation/', { text: 'x', ticket: id })).json().code, 'conversation_full')
    })

    await t.test(
      'an account opens at most 100 an hour, a visitor 20 with one address, and keeps nobody else from it',
      async () => {
        const vera = makeVisitor(server.stranger, 'vera@example.net')
        for (const [caller, most] of [
          [await server.signIn('eve'), 100],
          [vera, 20],
        ] as const) {
          for (let n = 0; n < most; n += 1) assert.equal((await caller.post('/ticket/', { title: `${n}` })).status, 201)
          const answer = await caller.post('/ticket/', { title: 'more' })
          assert.equal(answer.status, 429)
          assert.ok(Number(answer.headers['retry-after']) > 0)
        }
        assert.equal((await ada.post('/ticket/', { title: 'of another' })).status, 201)
        assert.equal(await openFrom('198.51.100.7', 'vera@example.net'), 201)
      },
    )

    await t.test(
      'whoever asks writes at most 200 messages an hour, and whoever answers as many as it takes',
      async () => {
        const staff = await server.signIn('sam', { is_staff: true })
        const vera = makeVisitor(server.stranger, 'vera.w@example.net')
        const { id: staffId } = (await staff.get('/user/info')).json()
        const ticket = await openTicket(vera)
        const { id: visitorId } = await server.deps.db
          .selectFrom('visitors')
          .select('id')
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
        for (const key of [`user ${staffId}`, `visitor ${visitorId}`])
          for (let n = 0; n < 200; n += 1) await server.deps.limits.attempt({ limit: TICKET_MESSAGE, key })
        assert.equal(await writeMessage(vera, ticket), 429)
        assert.equal(await writeMessage(staff, ticket), 201)
        assert.equal(await writeMessage(ada, await openTicket(ada)), 201)
      },
    )

    await t.test(
      'one address gets at most 40 an hour, from however many places, and none is kept out by few',
      async () => {
        const statuses: number[] = []
        for (let place = 0; place < 30; place += 1)
          for (let n = 0; n < 3; n += 1) statuses.push(await openFrom(`10.${place}.0.1`, 'vic@example.net'))
        assert.equal(statuses.filter((status) => status === 201).length, 40)
        assert.ok(statuses.every((status) => status === 201 || status === 429))
        assert.equal(await openFrom('10.99.0.1', 'wim@example.net'), 201)
      },
    )
  })
}
