import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../../testing.ts'
import { makeVisitor, openTicket, signInRoles, writeMessage } from '../../testing/tickets.ts'

for (const engine of ENGINES) {
  test(`tickets with messages one has not seen (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { ada, eve, staff, other, superuser } = await signInRoles(server)
    const readMark = async (caller: Pick<typeof ada, 'get'>, id: number) => {
      const listed = (await caller.get('/ticket/')).json().results.find((one: { id: number }) => one.id === id)
      const shown = (await caller.get(`/ticket/${id}/`)).json()
      assert.equal(listed.is_unread, shown.is_unread)
      return shown.is_unread
    }

    await t.test('7.47 an answer is unread to who asked until they have seen it', async () => {
      const id = await openTicket(ada)
      await writeMessage(ada, id)
      assert.equal(await readMark(ada, id), false)
      await writeMessage(staff, id)
      assert.equal(await readMark(ada, id), true)
      const answer = await ada.post(`/ticket/${id}/read/`, { seen: 2 })
      assert.deepEqual([answer.status, answer.json().is_unread], [200, false])
      assert.equal(await readMark(ada, id), false)
    })

    await t.test('what came after the messages that were seen stays unread, and nothing goes back', async () => {
      const id = await openTicket(ada)
      await writeMessage(staff, id)
      await writeMessage(staff, id)
      await ada.post(`/ticket/${id}/read/`, { seen: 1 })
      assert.equal(await readMark(ada, id), true)
      await Promise.all([2, 1, 2].map((seen) => ada.post(`/ticket/${id}/read/`, { seen })))
      assert.equal(await readMark(ada, id), false)
      assert.equal((await ada.post(`/ticket/${id}/read/`, { seen: 1 })).json().is_unread, false)
      // More than there are does not hide what is still to come.
      await ada.post(`/ticket/${id}/read/`, { seen: 500 })
      await writeMessage(staff, id)
      assert.equal(await readMark(ada, id), true)
    })

    await t.test('a new ticket is unread to each who may answer, until they open it or another takes it', async () => {
      const id = await openTicket(ada)
      for (const client of [staff, other, superuser]) assert.equal(await readMark(client, id), true)
      await other.post(`/ticket/${id}/read/`, { seen: 0 })
      assert.equal(await readMark(other, id), false)
      assert.equal(await readMark(superuser, id), true)
      await writeMessage(staff, id)
      for (const client of [staff, other, superuser]) assert.equal(await readMark(client, id), false)
      await writeMessage(ada, id)
      assert.deepEqual([await readMark(staff, id), await readMark(other, id)], [true, false])
    })

    await t.test('6.44 one whose taker can answer no more waits for the others, and is taken anew', async () => {
      const ways: [string, Record<string, boolean>][] = [
        ['deactivated', { is_active: false }],
        ['no staff any more', { is_staff: false }],
        ['unverified', { is_email_verified: false }],
      ]
      for (const [n, [title, change]] of ways.entries()) {
        const taker = await server.signIn(`taker${n}`, { is_staff: true })
        const takerId = (await taker.get('/user/info')).json().id
        const id = await openTicket(ada, title)
        await writeMessage(taker, id)
        assert.equal((await superuser.patch(`/admin/users/${takerId}/`, change)).status, 200)
        assert.equal(await readMark(staff, id), false, 'nothing waits for an answer')
        await writeMessage(ada, id)
        for (const client of [staff, other]) assert.equal(await readMark(client, id), true, title)
        const shown = (await staff.get(`/ticket/${id}/`)).json()
        assert.deepEqual([shown.admin_username, shown.may], [null, { write: true, close: false }])
        const statuses = await Promise.all([writeMessage(staff, id), writeMessage(other, id)])
        assert.equal(statuses.filter((status) => status === 201).length, 1, statuses.join())
        const [winner, loser, name] = statuses[0] === 201 ? [staff, other, 'sam'] : [other, staff, 'olga']
        const taken = (await winner.get(`/ticket/${id}/`)).json()
        assert.deepEqual([taken.admin_username, taken.may], [name, { write: true, close: true }])
        assert.equal(await writeMessage(loser, id), 403)
        await writeMessage(ada, id)
        assert.deepEqual([await readMark(winner, id), await readMark(loser, id)], [true, false])
        assert.equal((await winner.patch(`/ticket/${id}/`, { is_locked: true })).status, 200)
      }
    })

    await t.test('6.44 who may answer again has kept what nobody took meanwhile', async () => {
      const taker = await server.signIn('taker', { is_staff: true })
      const takerId = (await taker.get('/user/info')).json().id
      const id = await openTicket(ada)
      await writeMessage(taker, id)
      await superuser.patch(`/admin/users/${takerId}/`, { is_staff: false })
      await superuser.patch(`/admin/users/${takerId}/`, { is_staff: true })
      assert.equal(await writeMessage(staff, id), 403)
      assert.equal(await writeMessage(taker, id), 201)
    })

    await t.test('a closed one is unread to nobody who answers', async () => {
      const id = await openTicket(ada)
      await writeMessage(staff, id)
      await writeMessage(ada, id)
      await staff.patch(`/ticket/${id}/`, { is_locked: true })
      assert.equal(await readMark(staff, id), false)
    })

    await t.test('a visitor has a mark of their own', async () => {
      const vera = makeVisitor(server.stranger, 'vera@example.net')
      const id = await openTicket(vera)
      await writeMessage(vera, id)
      assert.equal(await readMark(vera, id), false)
      await writeMessage(staff, id)
      assert.equal(await readMark(vera, id), true)
      for (const seen of [2, 1])
        assert.equal((await vera.post(`/ticket/${id}/read/`, { seen })).json().is_unread, false)
      const foreign = await vera.post(`/ticket/${id}/read/`, { seen: 2 }, { origin: 'https://evil.example' })
      assert.equal(foreign.json().code, 'foreign_origin')
    })

    await t.test('another’s looks like a missing one; a number that counts nothing is refused', async () => {
      const id = await openTicket(ada)
      const missing = await eve.post('/ticket/9007199254740991/read/', { seen: 0 })
      const foreign = await eve.post(`/ticket/${id}/read/`, { seen: 0 })
      assert.deepEqual([foreign.status, foreign.body], [404, missing.body])
      for (const seen of [-1, 1.5, 'x', null, 10 ** 9])
        assert.equal((await ada.post(`/ticket/${id}/read/`, { seen })).status, 400, String(seen))
    })
  })
}
