import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VISITOR_COOKIE_SECONDS } from '@proofdesk/contract/limits'
import { API_BASE } from '@proofdesk/contract/route'
import { hashToken, makeToken } from '../../../secrets/tokens.ts'
import { ENGINES, findToken, startTestServer } from '../../../testing.ts'
import { askForLink, listTitles, makeVisitor, openTicket } from '../../../testing/tickets.ts'
import { tickets } from '../feature.ts'
import { deleteVisitor, findVisitor, insertVisitor } from './queries.ts'
import { changeVisitorToken, keepVisitor } from './visitor-cookie.ts'

const DAY_MS = 24 * 60 * 60 * 1000

for (const engine of ENGINES) {
  test(`the mailed link to a visitor’s tickets (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const vera = makeVisitor(server.stranger, 'Vera@example.net')
    await openTicket(vera)

    await t.test('opens them in another browser, once', async () => {
      const token = await askForLink(server, 'vera@EXAMPLE.net')
      const mail = (await server.mails()).at(-1)
      assert.equal(mail?.to?.[0]?.address, 'Vera@example.net', 'as it was typed with the ticket')
      const phone = makeVisitor(server.stranger, 'vera@example.net')
      const answer = await phone.post('/ticket/session/', { token })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json(), { email: 'Vera@example.net' })
      assert.match(phone.setCookie ?? '', /HttpOnly; SameSite=Strict/)
      assert.deepEqual(await listTitles(phone), ['Lost seal'])
      const again = await makeVisitor(server.stranger, 'vera@example.net').post('/ticket/session/', { token })
      assert.equal(again.status, 400)
      assert.equal(again.json().code, 'link_invalid')
      assert.equal(again.headers['set-cookie'], undefined)
    })

    await t.test('6.45 its use is recorded, by the newest ticket that it opens', async () => {
      const used = await server.deps.db
        .selectFrom('audit_entries')
        .select(['actor_id', 'object_kind', 'object_id', 'details'])
        .where('action', '=', 'ticket_link_used')
        .execute()
      const ticket = await server.deps.db.selectFrom('tickets').select('id').executeTakeFirstOrThrow()
      assert.deepEqual(used, [{ actor_id: null, object_kind: 'ticket', object_id: ticket.id, details: '{}' }])
    })

    await t.test('is asked for and used by the newest of several, and mailed as that was typed', async () => {
      const nora = makeVisitor(server.stranger, 'NORA@example.net')
      await openTicket(nora)
      server.clock.advance(1000)
      nora.email = 'nora@example.net'
      const newest = await openTicket(nora)
      const token = await askForLink(server, 'Nora@example.net')
      assert.equal((await server.mails()).at(-1)?.to?.[0]?.address, 'nora@example.net')
      await makeVisitor(server.stranger, 'nora@example.net').post('/ticket/session/', { token })
      const used = await server.deps.db
        .selectFrom('audit_entries')
        .select('object_id')
        .where('action', '=', 'ticket_link_used')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      assert.equal(used?.object_id, newest)
      // A browser may use one after the other.
      for (let n = 0; n < 2; n += 1) {
        const again = await nora.post('/ticket/session/', { token: await askForLink(server, nora.email) })
        assert.equal(again.status, 200, again.body)
      }
      assert.equal((await listTitles(nora)).length, 2)
    })

    await t.test('6.45 a visitor leaves a browser, and neither its cookie nor a copy opens anything then', async () => {
      const shared = makeVisitor(server.stranger, 'lena@example.net')
      await openTicket(shared)
      const { cookie } = shared
      assert.deepEqual(await listTitles(shared), ['Lost seal'])
      const leave = (headers = {}) => server.stranger.delete('/ticket/session/', { cookie: cookie ?? '', ...headers })
      assert.equal((await leave({ origin: 'https://evil.example' })).json().code, 'foreign_origin')
      assert.deepEqual(await listTitles(shared), ['Lost seal'])
      const left = await leave()
      assert.equal(left.status, 204)
      assert.equal(left.headers['set-cookie'], 'visitor=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict')
      assert.deepEqual(await listTitles(shared), [])
      assert.equal((await leave()).status, 204)
      assert.deepEqual(await listTitles(vera), ['Lost seal'])
    })

    await t.test('of two uses at once one succeeds', async () => {
      const token = await askForLink(server, 'vera@example.net')
      const use = () => server.stranger.post('/ticket/session/', { token })
      const statuses = (await Promise.all([use(), use(), use()])).map((answer) => answer.status)
      assert.deepEqual(
        [200, 400].map((status) => statuses.filter((one) => one === status).length),
        [1, 2],
      )
    })

    await t.test('works for 24 hours; no token waits in the outbox or stands in the database', async () => {
      await server.stranger.post('/ticket/link/', { email: 'vera@example.net' })
      const token = findToken((await server.mails()).at(-1), 'ticket/open')
      const links = await server.deps.db.selectFrom('ticket_links').selectAll().execute()
      assert.ok(links.every((link) => link.hash !== token))
      server.clock.advance(DAY_MS)
      assert.equal((await server.stranger.post('/ticket/session/', { token })).json().code, 'link_invalid')
      await server.sweep()
      assert.deepEqual(await server.deps.db.selectFrom('ticket_links').selectAll().execute(), [])
    })

    await t.test('opens nothing of other addresses', async () => {
      const walt = makeVisitor(server.stranger, 'walt@example.net')
      await openTicket(walt, 'Of Walt')
      const phone = makeVisitor(server.stranger, 'walt@example.net')
      await phone.post('/ticket/session/', { token: await askForLink(server, 'vera@example.net') })
      assert.deepEqual(await listTitles(phone), [])
    })

    await t.test('opens nothing of an address that only looks the same', async () => {
      // Of domains that anybody may have: a dotless i, and a sharp s.
      for (const [like, theirs] of [
        ['ida@maıl.example', 'ida@mail.example'],
        ['ida@straße.example', 'ida@strasse.example'],
      ] as const) {
        const ida = makeVisitor(server.stranger, theirs)
        await openTicket(ida, 'Of Ida')
        const mallory = makeVisitor(server.stranger, like)
        await openTicket(mallory, 'Bait')
        await mallory.post('/ticket/session/', { token: await askForLink(server, like) })
        assert.deepEqual(await listTitles(mallory), ['Bait'])
        mallory.email = theirs
        assert.deepEqual(await listTitles(mallory), [])
      }
    })

    await t.test('gives the browser another cookie, so that a planted one opens nothing', async () => {
      const mallory = makeVisitor(server.stranger, 'mallory@example.net')
      await openTicket(mallory, 'Bait')
      const victim = makeVisitor(server.stranger, 'vera@example.net')
      victim.cookie = mallory.cookie
      await victim.post('/ticket/session/', { token: await askForLink(server, 'vera@example.net') })
      assert.notEqual(victim.cookie, mallory.cookie)
      assert.deepEqual(await listTitles(victim), ['Lost seal'])
      mallory.email = 'vera@example.net'
      assert.deepEqual(await listTitles(mallory), [])
    })

    await t.test('nor does one whose browser opened a ticket at the same moment', async () => {
      const { db, now } = server.deps
      const token = makeToken()
      const before = { expiresAt: now() + DAY_MS, now: now() }
      const id = await insertVisitor(db, hashToken(token), before.expiresAt)
      const found = { kind: 'visitor', visitorId: id, token, email: null } as const
      const changed = await changeVisitorToken(db, now(), found)
      assert.equal(changed.visitorId, id)
      const kept = await keepVisitor(db, now(), found)
      assert.notEqual(kept.visitorId, id)
      assert.notEqual(kept.token, token)
      assert.equal(await findVisitor(db, hashToken(token), now()), undefined)
      assert.equal(await findVisitor(db, hashToken(changed.token), now()), id)
      // Leaving with the old cookie ends nothing of the new one, and one that has run out since it was found is not kept.
      await deleteVisitor(db, id, hashToken(token))
      assert.equal(await findVisitor(db, hashToken(changed.token), now()), id)
      const late = now() + VISITOR_COOKIE_SECONDS * 1000
      assert.notEqual((await keepVisitor(db, late, { ...found, token: changed.token })).visitorId, id)
    })

    await t.test('is good for nothing after a restore, and neither is a cookie', async () => {
      const token = await askForLink(server, 'walt@example.net')
      await tickets.restored?.(server.deps.db)
      assert.equal((await server.stranger.post('/ticket/session/', { token })).json().code, 'link_invalid')
      assert.deepEqual(await listTitles(vera), [])
      const phone = makeVisitor(server.stranger, 'walt@example.net')
      await phone.post('/ticket/session/', { token: await askForLink(server, 'walt@example.net') })
      assert.deepEqual(await listTitles(phone), ['Of Walt'])
    })

    await t.test('is asked for with the same answer where the address has no ticket, and mails nobody', async () => {
      const before = (await server.mails()).length
      const known = await server.stranger.post('/ticket/link/', { email: 'walt@example.net' })
      const unknown = await server.stranger.post('/ticket/link/', { email: 'nobody@example.net' })
      assert.deepEqual([unknown.status, unknown.json()], [known.status, known.json()])
      assert.equal((await server.mails()).length, before + 1)
      const ofUser = await server.signIn('ulf', { email: 'ulf@example.net' })
      await ofUser.post('/ticket/', { title: 'With an account' })
      await server.stranger.post('/ticket/link/', { email: 'ulf@example.net' })
      assert.equal((await server.mails()).length, before + 1, 'an account is no visitor')
    })

    await t.test('is mailed at most 5 times an hour to one address', async () => {
      const ask = () => server.stranger.post('/ticket/link/', { email: 'Target@example.net' })
      const statuses = []
      for (let n = 0; n < 6; n += 1) statuses.push((await ask()).status)
      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
      assert.equal((await server.stranger.post('/ticket/link/', { email: 'target@EXAMPLE.net' })).status, 429)
      assert.ok(Number((await ask()).headers['retry-after']) > 0)
      const askFrom = async (remoteAddress: string) => {
        const payload = { email: 'target@example.net' }
        const url = `${API_BASE}/ticket/link/`
        return (await server.inject({ method: 'POST', url, payload, remoteAddress })).statusCode
      }
      for (let n = 0; n < 30; n += 1) await askFrom(`203.0.113.${n}`)
      assert.equal(await askFrom('203.0.113.99'), 429)
      assert.equal(await askFrom('192.0.2.1'), 200, 'strangers leave the owner some')
    })

    await t.test('is no token of anything else', async () => {
      for (const token of ['', 'x', 'A'.repeat(43), 'A'.repeat(201), 5, null])
        assert.equal((await server.stranger.post('/ticket/session/', { token })).status, 400)
    })
  })
}
