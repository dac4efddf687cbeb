import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { findToken, startTestServer } from '../../testing.ts'

const OLD = 'ada@example.org'
const NEW = 'new@example.org'

/** A mail server that answers for the old address with a code of ours, and takes all else. */
async function startMailServer(t: TestContext, oldAnswer: { code: number | undefined }) {
  const mails: { to: string; mail: Email }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      address === OLD && oldAnswer.code !== undefined
        ? done(Object.assign(new Error('not now'), { responseCode: oldAnswer.code }))
        : done(),
    onData: (stream, session, done) => {
      const take = async () => {
        const mail = await PostalMime.parse(await buffer(stream))
        for (const { address } of session.envelope.rcptTo) mails.push({ to: address, mail })
      }
      void take().finally(() => done())
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { smtpUrl: `smtp://127.0.0.1:${port}`, mails }
}

test('an old address that takes no mail for now is told later, even when the new one is verified by then', async (t) => {
  const oldAnswer: { code: number | undefined } = { code: 450 }
  const { smtpUrl, mails } = await startMailServer(t, oldAnswer)
  const server = await startTestServer(t, 'sqlite', { config: { smtpUrl } })
  const ada = await server.signIn('ada')
  await ada.patch('/profile/update_profile/', { email: NEW })
  await server.settle()
  const token = findToken(mails.find(({ to }) => to === NEW)?.mail, 'verify-email')
  assert.equal((await server.stranger.post('/auth/verify-email/', { token })).status, 200)
  assert.ok(mails.every(({ to }) => to !== OLD))
  oldAnswer.code = undefined
  // Longer than the address is held for: what is still to be told is not swept.
  server.clock.advance(25 * 60 * 60 * 1000)
  await server.sweep()
  await server.settle()
  const told = mails.filter(({ to }) => to === OLD)
  assert.equal(told.length, 1)
  // The link is good for 24 hours from now, however late the mail is.
  server.clock.advance(23 * 60 * 60 * 1000)
  const undo = { token: findToken(told[0]?.mail, 'undo-email') }
  assert.equal((await server.stranger.post('/auth/undo-email/', undo)).status, 200)
  assert.deepEqual(await server.deps.db.selectFrom('email_changes').selectAll().execute(), [])
})

test('an old address that is refused for good is forgotten, and delays nothing', async (t) => {
  const { smtpUrl, mails } = await startMailServer(t, { code: 550 })
  const server = await startTestServer(t, 'sqlite', { config: { smtpUrl } })
  const ada = await server.signIn('ada')
  await ada.patch('/profile/update_profile/', { email: NEW })
  await server.settle()
  assert.equal(mails.filter(({ to }) => to === NEW).length, 1)
  assert.deepEqual(await server.deps.db.selectFrom('email_changes').selectAll().execute(), [])
  assert.deepEqual(await server.deps.db.selectFrom('outbox').selectAll().execute(), [])
  assert.ok(!server.logLines.join('').includes('ada@'))
})
