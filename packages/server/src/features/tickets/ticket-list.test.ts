import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestClient } from '../../testing.ts'
import { makeVisitor, openTicket, signInRoles, listTitles, writeMessage } from '../../testing/tickets.ts'
import { insertTicket } from './queries.ts'
import { matchesSearch } from './ticket-filter.ts'

for (const engine of ENGINES) {
  test(`the ticket list (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, eve, staff, admin, superuser } = await signInRoles(server)
    const beta = await openTicket(ada, 'beta')
    server.clock.advance(1000)
    const alpha = await openTicket(eve, 'Alpha 100%')
    server.clock.advance(1000)
    const gamma = await openTicket(ada, 'Gamma')
    await writeMessage(staff, alpha)
    await writeMessage(superuser, gamma)
    await writeMessage(ada, gamma)

    await t.test('7.45 is newest first, and ordered by what is asked', async () => {
      assert.deepEqual(await listTitles(staff), ['Gamma', 'Alpha 100%', 'beta'])
      assert.deepEqual(await listTitles(staff, '?ordering=created_at'), ['beta', 'Alpha 100%', 'Gamma'])
      assert.deepEqual(await listTitles(staff, '?ordering=title'), ['Alpha 100%', 'beta', 'Gamma'])
      assert.deepEqual(await listTitles(staff, '?ordering=-title'), ['Gamma', 'beta', 'Alpha 100%'])
      assert.deepEqual(await listTitles(staff, '?ordering=status'), ['Alpha 100%', 'Gamma', 'beta'])
      for (const query of ['?ordering=id', '?ordering=email', '?is_locked=1', '?status=CLOSED', '?page=0', '?page=x'])
        assert.equal((await staff.get(`/ticket/${query}`)).status, 400, query)
    })

    await t.test('7.45 holds by status and lock exactly the rows of each tile, as many as the tile says', async () => {
      await superuser.patch(`/ticket/${gamma}/`, { is_locked: true })
      assert.deepEqual(await listTitles(staff, '?status=OPEN&is_locked=false'), ['beta'])
      assert.deepEqual(await listTitles(staff, '?status=ANSWERED&is_locked=false'), ['Alpha 100%'])
      assert.deepEqual(await listTitles(staff, '?status=IN_PROGRESS&is_locked=false'), [])
      assert.deepEqual(await listTitles(staff, '?is_locked=true'), ['Gamma'])
      assert.deepEqual((await staff.get('/ticket/counts/')).json(), {
        OPEN: 1,
        IN_PROGRESS: 0,
        ANSWERED: 1,
        CLOSED: 1,
        all: 3,
      })
      assert.deepEqual((await eve.get('/ticket/counts/')).json(), {
        OPEN: 0,
        IN_PROGRESS: 0,
        ANSWERED: 1,
        CLOSED: 0,
        all: 1,
      })
      assert.equal((await server.stranger.get('/ticket/counts/')).json().all, 0)
      await superuser.patch(`/ticket/${gamma}/`, { is_locked: false })
      assert.deepEqual(await listTitles(staff, '?status=IN_PROGRESS&is_locked=false'), ['Gamma'])
    })

    await t.test('6.25 is searched by username; by admin and superuser in answerers’ names too', async () => {
      assert.deepEqual(await listTitles(staff, '?search=EVE'), ['Alpha 100%'])
      assert.deepEqual(await listTitles(staff, '?search=sam'), [], 'staff do not search answerers')
      assert.deepEqual(await listTitles(admin, '?search=sam'), ['Alpha 100%'])
      assert.deepEqual(await listTitles(superuser, '?search=sue'), ['Gamma'])
      assert.deepEqual(await listTitles(admin, '?search=Ada&ordering=created_at'), ['beta', 'Gamma'])
      assert.deepEqual(await listTitles(staff, '?search=beta'), [], 'titles are not usernames')
      assert.deepEqual(await listTitles(staff, '?search=%25'), [], 'what is typed means itself')
      assert.deepEqual(await listTitles(staff, '?search=_'), [])
    })

    await t.test('6.25 the condition of staff does not look at answerers, whatever the index names', async () => {
      const { db } = server.deps
      const find = async (client: TestClient) => {
        const viewer = (await client.get('/user/info')).json()
        const rows = await db
          .selectFrom('tickets as t')
          .leftJoin('users as u', 'u.id', 't.owner_id')
          .leftJoin('users as r', 'r.id', 't.admin_id')
          .select('t.title')
          .where(matchesSearch('sam', { kind: 'person', viewer }))
          .execute()
        return rows.map(({ title }) => title)
      }
      assert.deepEqual(await find(staff), [])
      for (const client of [admin, superuser]) assert.deepEqual(await find(client), ['Alpha 100%'])
    })

    await t.test('6.25 is searched by a visitor’s address where letters of it stand for others in names', async () => {
      for (const [email, part] of [
        ['klaus@straße.example', 'straße'],
        ['ﬁx@example.org', 'ﬁx'],
      ] as const) {
        const ticket = await openTicket(makeVisitor(server.stranger, email), email)
        for (const client of [staff, admin])
          for (const text of [email, part])
            assert.deepEqual(
              await listTitles(client, `?search=${encodeURIComponent(text)}&ordering=title`),
              [email],
              text,
            )
        await server.deps.db.deleteFrom('ticket_messages').where('ticket_id', '=', ticket).execute()
        await server.deps.db.deleteFrom('tickets').where('id', '=', ticket).execute()
      }
    })

    await t.test('of those who see only their own is searched by title', async () => {
      assert.deepEqual(await listTitles(ada, '?search=BET'), ['beta'])
      assert.deepEqual(await listTitles(ada, '?search=alpha'), [], 'nor does a search reach another’s')
      assert.deepEqual(await listTitles(eve, '?search=100%25'), ['Alpha 100%'])
    })

    await t.test('9.5 has 10 a page', async () => {
      const { id } = (await eve.get('/user/info')).json()
      for (let n = 0; n < 20; n += 1)
        await insertTicket(server.deps.db, { ownerId: id }, { title: `more ${n}`, now: server.clock.now() })
      const second = (await eve.get('/ticket/?page=2&ordering=created_at')).json()
      assert.deepEqual([second.count, second.results.length], [21, 10])
      assert.match(second.next, /page=3/)
      assert.match(second.previous, /page=1/)
      const third = (await eve.get('/ticket/?page=3&ordering=created_at')).json()
      assert.deepEqual([third.results.length, third.next], [1, null])
      const past = await eve.get('/ticket/?page=4')
      assert.equal(past.status, 404)
      assert.equal(past.json().detail, 'Invalid page.')
      const seen = new Set<number>()
      for (const page of [1, 2, 3])
        for (const ticket of (await eve.get(`/ticket/?page=${page}`)).json().results) seen.add(ticket.id)
      assert.equal(seen.size, 21, 'ties are broken by id: nothing is shown twice')
    })

    assert.ok(beta < alpha && alpha < gamma)
  })
}
