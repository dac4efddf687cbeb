import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, findToken, startTestServer, type TestClient, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { startMailServer } from '../../testing/mail-server.ts'
import { makeVisitor, openTicket, writeMessage } from '../../testing/tickets.ts'

const REFUSED = { at: 'recipient', code: 550, words: '5.1.1 <ada@example.org> no such user' } as const

async function readRefusal(client: TestClient): Promise<{ at: string; words: string | null } | null> {
  return must(await client.get('/user/info'), 200).mail_refusal
}

async function listNotes(client: TestClient) {
  const { results } = must(await client.get('/notification/'), 200)
  return results.map(({ type, path, title }: Record<string, unknown>) => [type, path, title])
}

async function listRefusals(server: TestServer) {
  return server.deps.db
    .selectFrom('audit_entries')
    .select(['actor_id', 'object_kind', 'object_id', 'collection_id', 'details', 'network'])
    .where('action', '=', 'mail_refused')
    .orderBy('id')
    .execute()
}

for (const engine of ENGINES) {
  test(`mails that are refused for good (${engine})`, async (t) => {
    const mails = await startMailServer(t, REFUSED)
    const mailFrom = { name: '', address: 'desk@proof.example' }
    const server = await startTestServer(t, engine, { config: { smtpUrl: mails.url, mailFrom } })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    await server.settle()

    await t.test(
      '8.87 who was written to sees it, with the words of the mail server and no address in them',
      async () => {
        const una = await server.signIn('una', { verified: false })
        assert.equal(await readRefusal(una), null)
        await una.post('/profile/resend_verification_email/')
        await server.settle()
        const refusal = await readRefusal(una)
        assert.match(refusal?.words ?? '', /^550 .*no such user$/)
        assert.ok(!refusal?.words?.includes('@'))
        assert.equal(await readRefusal(ada), null, 'and nobody else')
        const [entry] = (await listRefusals(server)).slice(-1)
        const { actor_id, object_id, details = '', network } = entry ?? {}
        const { id } = must(await una.get('/user/info'), 200)
        // Nobody's network: that it came after a request of somebody makes it no doing of theirs.
        assert.deepEqual(
          [actor_id, object_id, JSON.parse(details), network],
          [null, id, { problem: 'address_refused' }, null],
        )
      },
    )

    await t.test('8.88 who decided is told, and led to the collection', async () => {
      const id = await sendCollection(ada)
      await server.settle()
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned' }), 200)
      await server.settle()
      assert.deepEqual(await listNotes(sam), [['UNDELIVERED_MAIL', String(id), 'Degree']])
      assert.deepEqual(await listNotes(ada), [['REJECTED_COLLECTION', String(id), 'Degree']])
      assert.notEqual(await readRefusal(ada), null)
      assert.equal((await listRefusals(server)).at(-1)?.collection_id, id)
      assert.equal(await readRefusal(sam), null, 'their own address is another matter')
    })

    await t.test('8.88 who approved is told', async () => {
      const id = await sendCollection(ada)
      await server.settle()
      // On a busy machine it is sealed behind.
      assert.match(String((await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })).status), /^20[02]$/)
      await server.settle()
      assert.deepEqual((await listNotes(sam))[0], ['UNDELIVERED_MAIL', String(id), 'Degree'])
    })

    await t.test('8.88 who answered a visitor is told, and led to the ticket', async () => {
      const ticket = await openTicket(makeVisitor(server.stranger, 'visitor@example.net'), 'Where is it?')
      assert.equal(await writeMessage(sam, ticket, 'Here'), 201)
      await server.settle()
      assert.deepEqual((await listNotes(sam))[0], ['UNDELIVERED_ANSWER', String(ticket), 'Where is it?'])
      const [refusal] = (await listRefusals(server)).slice(-1)
      assert.deepEqual([refusal?.object_kind, refusal?.object_id], ['ticket', ticket])
      const tom = await server.signIn('tom')
      assert.equal(await writeMessage(sam, await openTicket(tom), 'Here'), 201)
      await server.settle()
      assert.notEqual(await readRefusal(tom), null, '8.87 who asks with an account sees it')
      assert.equal((await listRefusals(server)).at(-1)?.object_kind, 'user')
    })

    await t.test('8.87 another address ends it, and a refusal of the old one says nothing about the new', async () => {
      must(await ada.patch('/profile/update_profile/', { email: 'ada@example.net' }), 200)
      assert.equal(await readRefusal(ada), null)
      mails.refusal = undefined
      await server.settle()
    })

    await t.test('8.87 so does a link from there: whoever reads the mails of the address has it', async () => {
      const una = await server.signIn('una')
      assert.notEqual(await readRefusal(una), null)
      await una.post('/profile/resend_verification_email/')
      await server.settle()
      const token = findToken(mails.received.at(-1)?.mail, 'verify-email')
      must(await server.stranger.post('/auth/verify-email/', { token }), 200)
      assert.equal(await readRefusal(una), null)
    })

    await t.test('8.87 what fails for now, or is refused for its content, is no refusal of an address', async () => {
      const before = (await listRefusals(server)).length
      const bob = await server.signIn('bob', { verified: false })
      for (const refusal of [
        { at: 'recipient', code: 450, words: 'greylisted' },
        { at: 'message', code: 554, words: 'spam' },
      ] as const) {
        mails.refusal = refusal
        await bob.post('/profile/resend_verification_email/')
        await server.settle()
        assert.equal(await readRefusal(bob), null)
        server.clock.advance(60_000)
      }
      assert.equal((await listRefusals(server)).length, before)
    })

    await t.test('8.91 what is refused for its content is tried for five days and then given up', async () => {
      const { db } = server.deps
      const eva = await server.signIn('eva')
      const rob = await server.signIn('rob', { is_staff: true })
      const id = await sendCollection(eva)
      await server.settle()
      mails.refusal = { at: 'message', code: 554, words: 'spam' }
      must(await rob.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned' }), 200)
      await server.settle()
      const failAfter = async (attempts: number) => {
        const due = { attempts, due_at: server.clock.now() }
        await db.updateTable('outbox').set(due).where('kind', '=', 'rejection_mail').execute()
        await server.settle()
        return db.selectFrom('outbox').select('attempts').where('kind', '=', 'rejection_mail').execute()
      }
      assert.deepEqual(await failAfter(200), [{ attempts: 201 }], 'on the first day')
      server.clock.advance(5 * 24 * 3600 * 1000)
      assert.deepEqual(await failAfter(2), [{ attempts: 3 }], 'after days in which it was hardly tried')
      mails.refusal = { at: 'sign-in', code: 535, words: 'who are you' }
      assert.deepEqual(await failAfter(200), [{ attempts: 201 }], 'where the server refuses us ourselves')
      mails.refusal = { at: 'message', code: 554, words: 'spam' }
      assert.deepEqual(await failAfter(200), [])

      const notes = db.selectFrom('notifications').innerJoin('users', 'users.id', 'notifications.user_id')
      const told = await notes
        .select(['username', 'type', 'path'])
        .where('path', '=', String(id))
        .orderBy('type')
        .execute()
      assert.deepEqual(told, [
        { username: 'eva', type: 'REJECTED_COLLECTION', path: String(id) },
        { username: 'rob', type: 'UNDELIVERED_MAIL', path: String(id) },
      ])
      const marked = db.selectFrom('users').select('mail_refused_at').where('username', '=', 'eva')
      assert.deepEqual(await marked.execute(), [{ mail_refused_at: null }])
      assert.equal((await listRefusals(server)).at(-1)?.details, '{"problem":"message_refused"}')
      const chief = await server.signIn('chief', { is_superuser: true })
      const { recipient, problem, words } = must(await chief.get('/mail/'), 200).last_given_up
      assert.deepEqual([recipient, problem, words], ['e…@example.org', 'message_refused', '554 spam'])
    })
  })
}
