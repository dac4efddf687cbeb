import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { readConfig } from '../config/config.ts'
import { openLogger } from '../logger.ts'
import { startMailServer, type TestMailServer } from '../testing/mail-server.ts'
import { composeMail } from './compose.ts'
import { openMailer } from './open-mailer.ts'
import { describeFailure } from './problem.ts'

const config = readConfig({ PUBLIC_URL: 'https://proof.example' })
const content = composeMail(config, { subject: 'S', heading: 'H', greetingName: 'ada', paragraphs: ['A link'] })

/** What became of a mail: the problem, or null when it went. */
async function send(smtpUrl: string): Promise<string | null> {
  const deps = { config: { ...config, smtpUrl }, logger: openLogger('silent'), now: Date.now, announce: () => {} }
  const mailer = await openMailer(deps)
  try {
    await mailer.send({ to: 'ada@example.org', ...content }, 'short')
    return null
  } catch (error) {
    return describeFailure(error).problem
  } finally {
    mailer.close()
  }
}

const seen = ({ signIns, received }: TestMailServer) => ({ signIns, mails: received.length })

/** An address of this machine that is not loopback: what goes there goes the way that goes to others. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test(
  '9.35 a mail server elsewhere that offers no encryption is told neither password nor mail',
  { skip: ownAddress === undefined && 'this machine has the loopback address only' },
  async (t) => {
    const server = await startMailServer(t, undefined, { host: ownAddress ?? '' })
    assert.equal(await send(server.url), 'not_encrypted')
    assert.equal(await send(`${server.url}?tls=required`), 'not_encrypted')
    assert.deepEqual(seen(server), { signIns: 0, mails: 0 })
    assert.equal(await send(`${server.url}?tls=optional`), null)
    assert.deepEqual(seen(server), { signIns: 1, mails: 1 })
  },
)

test('encryption can be demanded of this machine too, and is not by itself', async (t) => {
  const server = await startMailServer(t)
  assert.equal(await send(`${server.url}?tls=required`), 'not_encrypted')
  assert.deepEqual(seen(server), { signIns: 0, mails: 0 })
  assert.equal(await send(server.url), null)
  assert.deepEqual(seen(server), { signIns: 1, mails: 1 })
})

test('encryption with whoever answers is none: a certificate that does not hold is told neither', async (t) => {
  const server = await startMailServer(t, undefined, { offersTls: true })
  assert.equal(await send(`${server.url}?tls=required`), 'not_encrypted')
  assert.deepEqual(seen(server), { signIns: 0, mails: 0 })
  assert.equal(await send(`${server.url}?tls=required&tls.rejectUnauthorized=false`), null)
  assert.deepEqual(seen(server), { signIns: 1, mails: 1 })
})
