import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMails } from '../../app.ts'
import { readMessageId } from '../../mail/message-id.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { tellReturn } from './refused-mail.ts'

const DAY_MS = 24 * 3600 * 1000

/** What the Message-ID of the newest mail with these words in its subject says. */
async function readNewest(server: TestServer, subject: string) {
  const mail = (await server.mails()).findLast((one) => one.subject?.includes(subject))
  const { deps, clock } = server
  const sent = readMessageId(deps.secrets, mail?.messageId ?? '', clock.now())
  const duty = listMails().find(({ of }) => of.kind === sent?.kind)
  assert.ok(sent && duty)
  return (words: string) => tellReturn(deps, duty, sent, words)
}

async function countTold({ deps: { db } }: TestServer) {
  const count = async (query: { execute: () => Promise<unknown[]> }) => (await query.execute()).length
  return {
    notes: await count(db.selectFrom('notifications').select('id').where('type', '=', 'UNDELIVERED_MAIL')),
    entries: await count(db.selectFrom('audit_entries').select('id').where('action', '=', 'mail_refused')),
  }
}

for (const engine of ENGINES) {
  test(`a mail that came back (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    async function reject(): Promise<void> {
      const id = await sendCollection(ada)
      await server.settle()
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned' }), 200)
      await server.settle()
    }
    await reject()

    await t.test('8.92 is told of once, however often and by however many at once its report is brought', async () => {
      const tell = await readNewest(server, 'Degree')
      const told = await Promise.all(Array.from({ length: 8 }, (_, n) => tell(`mailbox full ${n}`)))
      assert.deepEqual(await countTold(server), { notes: 1, entries: 1 })
      assert.equal(told.filter(Boolean).length, 1)
      assert.equal(await tell('mailbox full'), false)
      assert.deepEqual(await countTold(server), { notes: 1, entries: 1 })
    })

    await t.test('8.92 and leaves no mark again on an address that was proved since', async () => {
      await db.updateTable('users').set({ mail_refused_at: null }).where('username', '=', 'ada').execute()
      const tell = await readNewest(server, 'Degree')
      await tell('mailbox full')
      assert.equal(must(await ada.get('/user/info'), 200).mail_refusal, null)
    })

    await t.test('8.92 as is the next one', async () => {
      await reject()
      const tell = await readNewest(server, 'Degree')
      assert.equal(await tell('mailbox full'), true)
      assert.deepEqual(await countTold(server), { notes: 2, entries: 2 })
      const sue = await server.signIn('sue', { is_superuser: true })
      const { recipient, problem, words } = must(await sue.get('/mail/'), 200).last_given_up
      assert.deepEqual([recipient, problem, words], ['a…@example.org', 'came_back', 'mailbox full'])
    })

    await t.test('is brought again where it could not be told of', async () => {
      await reject()
      const tell = await readNewest(server, 'Degree')
      const { now } = server.deps
      Object.assign(server.deps, { now: () => Number.NaN })
      await assert.rejects(tell('mailbox full'))
      Object.assign(server.deps, { now })
      assert.equal(await tell('mailbox full'), true)
      assert.deepEqual(await countTold(server), { notes: 3, entries: 3 })
    })

    await t.test('is remembered for as long as its report is read, and no longer', async () => {
      const count = async () => (await db.selectFrom('told_returns').select('hash').execute()).length
      server.clock.advance(20 * DAY_MS)
      await server.sweep()
      assert.equal(await count(), 3)
      server.clock.advance(2 * DAY_MS)
      await server.sweep()
      assert.equal(await count(), 0)
    })
  })
}
