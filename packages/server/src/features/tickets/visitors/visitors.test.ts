import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer } from '../../../testing.ts'
import { askForLink, listTitles, makeVisitor, openTicket } from '../../../testing/tickets.ts'

const DAY_MS = 24 * 60 * 60 * 1000

for (const engine of ENGINES) {
  test(`visitors’ tickets (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const vera = makeVisitor(server.stranger, 'vera@example.net')
    const staff = await server.signIn('sam', { is_staff: true })
    let first = 0

    await t.test('the first one sets a cookie: HttpOnly, SameSite=Strict, 90 days; stored hashed', async () => {
      first = await openTicket(vera)
      assert.match(vera.setCookie ?? '', /^visitor=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/)
      const rows = await server.deps.db.selectFrom('visitors').selectAll().execute()
      assert.equal(rows.length, 1)
      assert.match(rows[0]?.hash ?? '', /^[0-9a-f]{64}$/)
      assert.ok(!vera.cookie?.includes(rows[0]?.hash ?? ''))
      const entries = server.deps.db.selectFrom('audit_entries').select(['actor_id', 'object_id'])
      const opened = await entries.where('action', '=', 'ticket_opened').execute()
      assert.deepEqual(opened, [{ actor_id: null, object_id: first }], '10.1 that it was opened is recorded')
    })

    await t.test('behind https the cookie goes nowhere else', async () => {
      const secure = await startTestServer(t, engine, { config: { publicUrl: 'https://proof.example' } })
      const vic = makeVisitor(secure.stranger, 'vic@example.net')
      await openTicket(vic)
      assert.match(vic.setCookie ?? '', /; Secure(;|$)/)
      assert.deepEqual(await listTitles(vic), ['Lost seal'])
    })

    await t.test('7.46 an address is needed, and must be one', async () => {
      const none = await server.stranger.post('/ticket/', { title: 'x' })
      assert.equal(none.status, 400)
      assert.deepEqual(none.json().email, ['This field is required.'])
      assert.equal(none.headers['set-cookie'], undefined)
      assert.equal((await server.stranger.post('/ticket/?email=nonsense', { title: 'x' })).status, 400)
      assert.equal((await server.stranger.get('/ticket/?email=nonsense')).status, 400)
    })

    await t.test('6.36 those of that cookie and address are listed, whatever the address’s case', async () => {
      assert.deepEqual(await listTitles(vera), ['Lost seal'])
      const ticket = (await vera.get(`/ticket/${first}/`)).json()
      assert.deepEqual([ticket.username, ticket.email, ticket.is_own], [null, 'vera@example.net', true])
      vera.email = 'VERA@Example.net'
      assert.deepEqual(await listTitles(vera), ['Lost seal'])
      assert.equal((await vera.get('/ticket/counts/')).json().all, 1)
      vera.email = 'vera@example.net'
    })

    await t.test('the cookie with another address shows nothing', async () => {
      vera.email = 'someone@example.net'
      assert.deepEqual(await listTitles(vera), [])
      assert.equal((await vera.get(`/ticket/${first}/`)).status, 404)
      vera.email = 'vera@example.net'
    })

    await t.test('6.37 an address alone opens nobody’s: 200 and an empty list, 404 for each ticket', async () => {
      const mallory = makeVisitor(server.stranger, 'vera@example.net')
      assert.deepEqual(await listTitles(mallory), [])
      assert.equal((await mallory.get(`/ticket/${first}/`)).status, 404)
      assert.equal((await mallory.get(`/conversation/?ticket_id=${first}`)).status, 404)
      assert.equal((await mallory.post('/conversation/', { text: 'hi', ticket: first })).status, 404)
      assert.equal((await mallory.get('/ticket/counts/')).json().all, 0)
    })

    await t.test('nor does a ticket opened with somebody else’s address', async () => {
      const mallory = makeVisitor(server.stranger, 'vera@example.net')
      await openTicket(mallory, 'Of Mallory')
      assert.deepEqual(await listTitles(mallory), ['Of Mallory'])
      assert.equal((await mallory.get(`/ticket/${first}/`)).status, 404)
      assert.ok(!(await listTitles(vera)).includes('Of Mallory'))
    })

    await t.test('nor does a made-up cookie', async () => {
      for (const cookie of [
        `visitor=${'A'.repeat(43)}`,
        'visitor=',
        'visitor=../../etc',
        'visitor',
        '=;;visitor=1=2',
      ]) {
        const mallory = makeVisitor(server.stranger, 'vera@example.net')
        mallory.cookie = cookie
        assert.deepEqual(await listTitles(mallory), [])
      }
    })

    await t.test('7.48 a visitor writes, staff answer, the visitor sees it and is mailed', async () => {
      assert.equal((await vera.post('/conversation/', { text: 'Hello?', ticket: first })).status, 201)
      const search = (await staff.get('/ticket/?search=vera@EXAMPLE')).json()
      assert.ok(search.results.some((ticket: { id: number }) => ticket.id === first))
      assert.equal((await staff.post('/conversation/', { text: 'It is.', ticket: first })).status, 201)
      const { results } = (await vera.get(`/conversation/?ticket_id=${first}`)).json()
      assert.deepEqual(
        results.map((one: Record<string, unknown>) => [one['text'], one['username'], one['is_admin']]),
        [
          ['Hello?', null, false],
          ['It is.', 'sam', true],
        ],
      )
      assert.equal((await vera.get(`/ticket/${first}/`)).json().status, 'ANSWERED')
      const mail = (await server.mails()).at(-1)
      assert.equal(mail?.to?.[0]?.address, 'vera@example.net')
      assert.match(mail?.text ?? '', /It is\./)
      const browser = makeVisitor(server.stranger, 'vera@example.net')
      const session = await browser.post('/ticket/session/', { token: findToken(mail, 'ticket/open') })
      assert.deepEqual(session.json(), { email: 'vera@example.net' })
      assert.ok((await listTitles(browser)).includes('Lost seal'))
    })

    await t.test('a visitor neither closes nor reopens', async () => {
      const answer = await server.stranger.patch(
        `/ticket/${first}/`,
        { is_locked: true },
        { cookie: vera.cookie ?? '' },
      )
      assert.equal(answer.status, 401)
    })

    await t.test('a closed one takes no message of the visitor', async () => {
      await staff.patch(`/ticket/${first}/`, { is_locked: true })
      const answer = await vera.post('/conversation/', { text: 'more', ticket: first })
      assert.equal(answer.json().code, 'ticket_closed')
      await staff.patch(`/ticket/${first}/`, { is_locked: false })
    })

    await t.test('a signed-in user with that address verified sees and continues them', async () => {
      const user = await server.signIn('vera', { email: 'Vera@example.net' })
      assert.deepEqual((await listTitles(user)).toSorted(), ['Lost seal', 'Of Mallory'])
      assert.equal((await user.post('/conversation/', { text: 'From my account', ticket: first })).status, 201)
    })

    await t.test(
      '6.43 where that user has written, a browser that only typed the address reads along once a mailed link is used in it',
      async () => {
        assert.equal((await vera.get(`/ticket/${first}/`)).status, 404)
        assert.ok(!(await listTitles(vera)).includes('Lost seal'))
        assert.equal((await vera.post('/conversation/', { text: 'Me too', ticket: first })).status, 404)
        await vera.post('/ticket/session/', { token: await askForLink(server, 'vera@example.net') })
        assert.equal((await vera.get(`/ticket/${first}/`)).json().status, 'IN_PROGRESS')
        await openTicket(vera, 'Opened since')
        assert.ok((await listTitles(await server.signIn('vera'))).includes('Opened since'))
      },
    )

    await t.test('and is told of answers there', async () => {
      const user = await server.signIn('vera')
      await staff.post('/conversation/', { text: 'Seen?', ticket: first })
      const { results } = (await user.get('/notification/')).json()
      const told = results.filter(({ type }: { type: string }) => type === 'ANSWER_TICKET')
      assert.deepEqual(
        told.map(({ path }: { path: string }) => path),
        [String(first)],
      )
    })

    await t.test('but not one whose address is not verified', async () => {
      const walt = makeVisitor(server.stranger, 'walt@example.net')
      const id = await openTicket(walt)
      const user = await server.signIn('walt', { email: 'walt@example.net', verified: false })
      assert.deepEqual((await user.get('/ticket/')).json().results, [])
      assert.equal((await user.get(`/ticket/${id}/`)).status, 404)
      const told = () => server.deps.db.selectFrom('notifications').select('user_id').execute()
      const before = (await told()).length
      assert.equal((await staff.post('/conversation/', { text: 'Yes', ticket: id })).status, 201)
      assert.equal((await told()).length, before)
    })

    await t.test('the visitor’s cookie does not count for who is signed in', async () => {
      const user = await server.signIn('eve')
      const answer = await user.get('/ticket/?email=vera@example.net', { cookie: vera.cookie ?? '' })
      assert.deepEqual(answer.json().results, [])
    })

    await t.test('after 90 days the cookie opens nothing, and the browser and its token are forgotten', async () => {
      const tina = makeVisitor(server.stranger, 'tina@example.net')
      await openTicket(tina, 'Old')
      server.clock.advance(90 * DAY_MS)
      assert.deepEqual(await listTitles(tina), [])
      await server.sweep()
      assert.deepEqual(await server.deps.db.selectFrom('visitors').selectAll().execute(), [])
      const oldCookie = tina.cookie
      await openTicket(tina, 'New')
      assert.notEqual(tina.cookie, oldCookie)
      assert.deepEqual(await listTitles(tina), ['New'])
      const token = await askForLink(server, 'tina@example.net')
      await tina.post('/ticket/session/', { token })
      assert.deepEqual((await listTitles(tina)).toSorted(), ['New', 'Old'])
    })

    await t.test('each new ticket prolongs the same cookie', async () => {
      const uma = makeVisitor(server.stranger, 'uma@example.net')
      await openTicket(uma, 'One')
      const { cookie } = uma
      server.clock.advance(60 * DAY_MS)
      await openTicket(uma, 'Two')
      assert.equal(uma.cookie, cookie)
      server.clock.advance(60 * DAY_MS)
      assert.deepEqual(await listTitles(uma), ['Two', 'One'])
    })
  })
}
