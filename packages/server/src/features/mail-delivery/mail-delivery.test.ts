import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectWithin } from '@proofdesk/certify/testing/pace'
import { MailKind, type MailState } from '@proofdesk/contract/mail-delivery'
import { listMailRecipients } from '../../app.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { ENGINES, startTestServer, type TestServer } from '../../testing.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { sendCollection } from '../../testing/collections.ts'
import { findFreePort } from '../../testing/free-ports.ts'
import { startMailServer, startSilentServer } from '../../testing/mail-server.ts'
import { removeBlob } from '../../blobs/remove-blob.ts'
import { ticketLinkMail } from '../tickets/work.ts'
import { verificationMail } from '../users/work.ts'
import { MAIL_RECORDS, MAIL_RETRY } from './limits.ts'

const SUPERUSER = { is_superuser: true }

async function readState(client: Awaited<ReturnType<TestServer['signIn']>>): Promise<MailState> {
  const answer = await client.get('/mail/')
  assert.equal(answer.status, 200, answer.body)
  return answer.json()
}

test('every mail that a feature sends has its kind in the contract, and none there is sent by nobody', () => {
  assert.deepEqual([...listMailRecipients().keys()].toSorted(), MailKind.options.toSorted())
})

for (const engine of ENGINES) {
  test(`the state of mail (${engine})`, async (t) => {
    const port = await findFreePort()
    const smtpUrl = `smtp://user:s3cr3t-pass@127.0.0.1:${port}`
    const mailFrom = { name: 'Registry', address: 'desk@proof.example' }
    const server = await startTestServer(t, engine, { config: { smtpUrl, mailFrom } })
    const sue = await server.signIn('sue', SUPERUSER)

    await t.test('7.49 says how mail goes out, and never a user or a password', async () => {
      const answer = await sue.get('/mail/')
      assert.deepEqual(answer.json(), {
        way: 'smtp',
        place: `smtp://127.0.0.1:${port}`,
        sender: 'Registry <desk@proof.example>',
        waiting: 0,
        failing: 0,
        failures: [],
        last_delivered_at: null,
        last_given_up: null,
      })
      assert.ok(!/s3cr3t|user@|user:/.test(answer.body))
    })

    await t.test('6.42 is for superusers, verified or not; 403 for all others, 401 for visitors', async () => {
      const kinds = { ada: {}, una: { verified: false }, sam: { is_staff: true }, amy: { is_admin: true } }
      for (const [name, flags] of Object.entries(kinds)) {
        const other = await server.signIn(name, flags)
        assert.equal((await other.get('/mail/')).status, 403, name)
        assert.equal((await other.post('/mail/test/')).status, 403, name)
        assert.equal((await other.post('/mail/retry/')).status, 403, name)
        assert.equal((await other.get('/mail/records/')).status, 403, name)
      }
      assert.equal((await server.stranger.get('/mail/')).status, 401)
      assert.equal((await server.stranger.post('/mail/test/')).status, 401)
      const uma = await server.signIn('uma', { ...SUPERUSER, verified: false })
      assert.equal((await uma.get('/mail/')).status, 200)
    })

    await t.test('7.49 shows which mail keeps failing, for whom, since when, how often and why', async () => {
      server.clock.stop()
      const begun = server.clock.now()
      const una = await server.signIn('una')
      assert.equal((await una.post('/profile/resend_verification_email/')).status, 200)
      await server.settle()
      server.clock.advance(1000)
      server.deps.outbox.ring()
      await server.settle()
      const { waiting, failing, failures } = await readState(sue)
      assert.deepEqual([waiting, failing, failures.length], [1, 1, 1])
      const [{ id, ...failure } = { id: 0 }] = failures
      assert.ok(id > 0)
      assert.deepEqual(failure, {
        kind: 'verification_mail',
        recipient: 'una',
        created_at: new Date(begun).toISOString(),
        attempts: 2,
        next_try_at: new Date(server.clock.now() + 2000).toISOString(),
        problem: 'unreachable',
        words: null,
      })
    })

    await t.test('a test mail that cannot be sent says why, at once', async () => {
      const answer = await sue.post('/mail/test/')
      assert.deepEqual(answer.json(), {
        recipient: 'sue@example.org',
        is_delivered: false,
        problem: 'unreachable',
        words: null,
      })
      assert.equal((await readState(sue)).waiting, 1)
    })

    await t.test('7.51 mails may be tried at once; once the mail server is back they go out', async (t2) => {
      assert.deepEqual((await sue.post('/mail/retry/')).json(), { count: 1 })
      await server.settle()
      assert.equal((await readState(sue)).failures[0]?.attempts, 3)
      const smtp = await startMailServer(t2, undefined, { port })
      assert.deepEqual((await sue.post('/mail/retry/')).json(), { count: 1 })
      await server.settle()
      const state = await readState(sue)
      assert.deepEqual([state.waiting, state.failing, state.failures], [0, 0, []])
      assert.equal(state.last_delivered_at, new Date(server.clock.now()).toISOString())
      assert.deepEqual(
        smtp.received.map(({ to }) => to),
        [['una@example.org']],
      )
    })
  })

  test(`what a mail server refuses (${engine})`, async (t) => {
    const smtp = await startMailServer(t)
    const server = await startTestServer(t, engine, { config: { smtpUrl: smtp.url } })
    const sue = await server.signIn('sue', SUPERUSER)
    const una = await server.signIn('una', { verified: false })

    await t.test('8.81 is told in its own words, without addresses and tokens', async () => {
      const token = 'k'.repeat(43)
      smtp.refusal = { at: 'recipient', code: 451, words: `4.7.1 <una@example.org> is greylisted ${token}\u202e` }
      await una.post('/profile/resend_verification_email/')
      await server.settle()
      const [failure] = (await readState(sue)).failures
      assert.equal(failure?.problem, 'address_refused')
      assert.equal(failure?.words, '451 4.7.1 <[address]> is greylisted [token]')
      assert.ok(!server.logLines.join('').includes('una@example.org'))
    })

    await t.test('7.50 a test mail tells what the server said of it', async () => {
      smtp.refusal = { at: 'sign-in', code: 535, words: '5.7.8 Wrong password' }
      const refused = (await sue.post('/mail/test/')).json()
      assert.deepEqual(
        [refused.is_delivered, refused.problem, refused.words],
        [false, 'sign_in_refused', '535 5.7.8 Wrong password'],
      )
      smtp.refusal = { at: 'message', code: 554, words: '5.7.1 Spam' }
      assert.equal((await sue.post('/mail/test/')).json().problem, 'message_refused')
      assert.ok(!JSON.stringify(refused).includes('s3cr3t'))
    })

    await t.test(
      '7.50 a test mail goes past the queue to the superuser’s own address, and wakes those that wait',
      async () => {
        smtp.refusal = undefined
        server.clock.stop()
        assert.deepEqual((await sue.post('/mail/test/')).json(), {
          recipient: 'sue@example.org',
          is_delivered: true,
          problem: null,
          words: null,
        })
        await server.settle()
        assert.deepEqual(
          smtp.received.map(({ to }) => to[0] ?? '').toSorted((a, b) => a.localeCompare(b)),
          ['sue@example.org', 'una@example.org'],
        )
        assert.equal(smtp.received[0]?.mail.subject, 'Test mail from Test Registry')
        assert.equal((await readState(sue)).waiting, 0)
      },
    )

    await t.test('a mail refused for good is not tried again, and the last one is shown', async () => {
      smtp.refusal = { at: 'recipient', code: 550, words: '5.1.1 no such user una@example.org' }
      await una.post('/profile/resend_verification_email/')
      await server.settle()
      const { waiting, last_given_up: givenUp } = await readState(sue)
      assert.equal(waiting, 0)
      assert.deepEqual(givenUp, {
        at: new Date(server.clock.now()).toISOString(),
        recipient: 'u…@example.org',
        problem: 'address_refused',
        words: '550 5.1.1 no such user [address]',
      })
    })

    await t.test('names a visitor by an address that is mostly hidden, and nobody where they are gone', async () => {
      smtp.refusal = { at: 'recipient', code: 450, words: 'later' }
      const { db } = server.deps
      const ticket = {
        title: 'Lost',
        title_key: 'lost',
        status: 'OPEN' as const,
        is_locked: 0 as const,
        admin_id: null,
      }
      const { id } = await db
        .insertInto('tickets')
        .values({
          ...ticket,
          owner_id: null,
          email: 'vera@example.org',
          email_key: 'vera@example.org',
          visitor_id: null,
          created_at: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await enqueue(db, server.clock.now(), ticketLinkMail({ ticket_id: id }))
      server.deps.outbox.ring()
      await server.settle()
      const read = async () => (await readState(sue)).failures.map(({ kind, recipient }) => [kind, recipient])
      assert.deepEqual(await read(), [['ticket_link_mail', 'v…@example.org']])
      await db.deleteFrom('tickets').execute()
      assert.deepEqual(await read(), [['ticket_link_mail', null]])
    })

    await t.test('9.25 ten test mails in a quarter of an hour are enough', async () => {
      let status = 200
      for (let i = 0; i < 11 && status === 200; i++) status = (await sue.post('/mail/test/')).status
      assert.equal(status, 429)
    })

    await t.test('9.25 so are thirty times of trying all again, and of looking the records up', async () => {
      const sid = await server.signIn('sid', SUPERUSER)
      const { id } = (await sid.get('/user/info')).json()
      assert.equal((await sid.post('/mail/retry/')).status, 200)
      const recorded = server.deps.db
        .selectFrom('audit_entries')
        .select('actor_id')
        .where('action', '=', 'mails_hastened')
      assert.deepEqual(await recorded.where('actor_id', '=', id).execute(), [{ actor_id: id }])
      for (const limit of [MAIL_RETRY, MAIL_RECORDS])
        for (let n = limit === MAIL_RETRY ? 1 : 0; n < 30; n++) await server.deps.limits.attempt({ limit, key: id })
      assert.deepEqual([(await sid.post('/mail/retry/')).status, (await sid.get('/mail/records/')).status], [429, 429])
    })
  })

  test(`a mail server that hangs (${engine})`, async (t) => {
    const silent = await startSilentServer(t)
    const server = await startTestServer(t, engine, { config: { smtpUrl: silent.url } })
    const sue = await server.signIn('sue', SUPERUSER)
    const una = await server.signIn('una', { verified: false })

    await t.test('8.80 delays no other work and no answer', async () => {
      const { db, outbox } = server.deps
      await una.post('/profile/resend_verification_email/')
      for (let id = 1; id <= 10; id++) await enqueue(db, server.clock.now(), verificationMail({ user_id: 2 }))
      outbox.ring()
      await waitUntil(() => silent.connections() >= 2)
      const begun = performance.now()
      await enqueue(db, server.clock.now(), removeBlob({ key: 'originals/0' }))
      outbox.ring()
      const left = async () =>
        (await db.selectFrom('outbox').select('kind').execute()).filter(({ kind }) => kind === 'remove_blob').length
      await waitUntil(async () => (await left()) === 0)
      assert.equal((await una.get('/user/info')).status, 200)
      const { waiting } = await readState(sue)
      assert.equal(waiting, 11)
      expectWithin(performance.now() - begun, 1500, 'answering')
      assert.ok(silent.connections() <= 2, 'no more than two at once')
    })

    await t.test('8.80 delays no approval: it is sealed and published, and its own mail waits', async () => {
      const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
      const id = await sendCollection(ada)
      const begun = performance.now()
      const approved = await sam.post(`/admin/${id}/approve/`, { admin_desc: 'Checked.', expire_time: null })
      const took = performance.now() - begun
      assert.equal(approved.status, 200, approved.body)
      assert.ok(approved.json().proofid)
      // Far below the ten seconds that a mail server is waited for.
      expectWithin(took, 8000, 'approving')
      const listKinds = async () => {
        const rows = await server.deps.db.selectFrom('outbox').select('kind').execute()
        return [...new Set(rows.map(({ kind }) => kind))].sort().join()
      }
      await waitUntil(async () => (await listKinds()) === 'approval_mail,verification_mail')
    })

    await t.test('7.50 a test mail is given up after a few seconds', async () => {
      const begun = performance.now()
      const answer = (await sue.post('/mail/test/')).json()
      assert.deepEqual([answer.is_delivered, answer.problem], [false, 'timed_out'])
      expectWithin(performance.now() - begun, 8000, 'the test mail')
    })

    await t.test('8.80 does not keep a server from closing, and its mails stay', async () => {
      const begun = performance.now()
      await server.restart()
      expectWithin(performance.now() - begun, 5000, 'closing')
      assert.equal((await readState(sue)).waiting, 12)
    })
  })
}

test('without a mail server mail goes into a folder, which the state of mail names', async (t) => {
  const server = await startTestServer(t)
  const sue = await server.signIn('sue', SUPERUSER)
  const state = await readState(sue)
  assert.deepEqual([state.way, state.place], ['folder', `${server.config.dataDir}/outbox`])
  assert.equal((await sue.post('/mail/test/')).json().is_delivered, true)
  const [mail] = await server.mails()
  assert.equal(mail?.to?.[0]?.address, 'sue@example.org')
  assert.ok((await readState(sue)).last_delivered_at)
})
