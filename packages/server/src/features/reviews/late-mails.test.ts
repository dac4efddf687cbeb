import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { must, sendCollection } from '../../testing/collections.ts'
import { startMailServer } from '../../testing/mail-server.ts'

const BUSY = { at: 'recipient', code: 450, words: 'try again later' } as const

/** What waits is tried now. */
async function tryAgain(server: TestServer): Promise<void> {
  await server.deps.db.updateTable('outbox').set({ due_at: server.clock.now() }).execute()
  await server.settle()
}

for (const engine of ENGINES) {
  test(`mails of a decision that a mail server lets wait (${engine})`, async (t) => {
    const mails = await startMailServer(t)
    const mailFrom = { name: '', address: 'desk@proof.example' }
    const server = await startTestServer(t, engine, { config: { smtpUrl: mails.url, mailFrom } })
    const ada = await server.signIn('ada')
    const sam = await server.signIn('sam', { is_staff: true })
    const listSubjects = () => mails.received.splice(0).map(({ mail }) => mail.subject)
    async function sendPrepared(): Promise<number> {
      const id = await sendCollection(ada)
      await server.settle()
      listSubjects()
      return id
    }
    async function approve(id: number): Promise<string> {
      // On a busy machine it is sealed behind.
      assert.match(String((await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' })).status), /^20[02]$/)
      await server.settle()
      return must(await ada.get(`/collections/${id}`), 200).proofid
    }

    await t.test('do not say that it is approved once it is revoked', async () => {
      const id = await sendPrepared()
      mails.refusal = BUSY
      const proofid = await approve(id)
      must(await sam.post('/admin/proofs/revoke/', { proofid, reason: 'issued_in_error' }), 200)
      mails.refusal = undefined
      await tryAgain(server)
      assert.deepEqual(listSubjects(), ['Revoked: Degree'])
      assert.deepEqual(await server.deps.db.selectFrom('outbox').select('kind').execute(), [])
    })

    await t.test('say that it is approved, later, while it holds', async () => {
      const id = await sendPrepared()
      mails.refusal = BUSY
      await approve(id)
      mails.refusal = undefined
      await tryAgain(server)
      assert.deepEqual(listSubjects(), ['Approved: Degree'])
    })

    await t.test('of two rejections say once what the last one says', async () => {
      const id = await sendPrepared()
      mails.refusal = BUSY
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 2 is missing' }), 200)
      await server.settle()
      must(await ada.post(`/collections/${id}/save/`), 200)
      await server.settle()
      must(await sam.post(`/admin/${id}/reject/`, { admin_desc: 'Page 3 is unsigned' }), 200)
      await server.settle()
      const waiting = await server.deps.db
        .selectFrom('outbox')
        .select('id')
        .where('kind', '=', 'rejection_mail')
        .execute()
      assert.equal(waiting.length, 2)
      mails.refusal = undefined
      await tryAgain(server)
      const texts = mails.received.map(({ mail }) => mail.text ?? '')
      assert.deepEqual(listSubjects(), ['Please revise: Degree'])
      assert.ok(texts[0]?.includes('Page 3 is unsigned'))
    })
  })
}
