import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config/config.ts'
import { openLogger } from '../logger.ts'
import { HopelessWork } from '../outbox/outbox.ts'
import { startTestServer } from '../testing.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { readMails } from '../testing/mailbox.ts'
import { composeMail } from './compose.ts'
import { openMailer } from './open-mailer.ts'
import { describeFailure } from './problem.ts'

const config = readConfig({ ORGANISATION: 'Registry <&>', PUBLIC_URL: 'https://proof.example' })
const hostile = '<script>alert("1")</script> & \'x\''
const content = composeMail(config, {
  subject: 'Hello\r\nBcc: eve@example.org',
  heading: 'Ünïcode سند',
  greetingName: hostile,
  paragraphs: ['One', hostile],
  facts: [{ name: 'Proof ID', value: hostile, isCode: true }],
  quote: `${hostile}\nsecond line`,
  action: { label: 'Open', url: 'https://proof.example/x?a=1&b="2"' },
  closing: 'Bye',
})

test('a mail says the same in text and in HTML, and nothing in it is markup of others', () => {
  assert.ok(!content.html.includes('<script'))
  assert.ok(content.html.includes('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;'))
  assert.ok(content.html.includes('href="https://proof.example/x?a=1&amp;b=&quot;2&quot;"'))
  for (const part of ['One', hostile, 'Proof ID: ', '> second line', 'https://proof.example/x?a=1&b="2"', 'Bye'])
    assert.ok(content.text.includes(part), part)
  assert.ok(!/src="(?!cid:)|url\(|@import|<link/.test(content.html))
})

const deps = { config, logger: openLogger('silent'), now: Date.now, announce: () => {} }

test('with SMTP_URL mails go to the mail server', async (t) => {
  const { received, url } = await startMailServer(t)
  const mailer = await openMailer({ ...deps, config: { ...config, smtpUrl: url } })
  t.after(() => mailer.close())
  await mailer.send({ to: 'ada@example.org', ...content })
  const [first] = received
  assert.deepEqual(first?.to, ['ada@example.org'])
  assert.equal(first?.mail.subject, 'Hello Bcc: eve@example.org')
  assert.equal(first?.mail.bcc, undefined)
  assert.equal(first?.mail.from?.address, 'no-reply@proof.example')
  assert.ok(first?.mail.text?.includes('Ünïcode سند'))
  assert.ok(first?.mail.html?.includes('Ünïcode سند'))
})

test('8.77 pictures travel inside the mail, beside its HTML, and say in words what they show', async (t) => {
  const { received, url } = await startMailServer(t)
  const mailer = await openMailer({ ...deps, config: { ...config, smtpUrl: url } })
  t.after(() => mailer.close())
  const figure = { proofId: 'AAAA-BBBB-CCCC-DDDD-E' }
  const mail = composeMail(config, { subject: 'S', heading: 'H', greetingName: 'ada', paragraphs: [], figure })
  await mailer.send({ to: 'ada@example.org', ...mail })
  const [first] = received
  const raw = first?.raw.toString('latin1') ?? ''
  assert.match(raw, /multipart\/alternative[^]*text\/plain[^]*multipart\/related[^]*text\/html[^]*image\/png/)
  assert.deepEqual(
    first?.mail.attachments.map(({ contentId, disposition, related }) => [contentId, disposition, related]),
    [
      ['<mark>', 'inline', true],
      ['<figure>', 'inline', true],
    ],
  )
  assert.ok(first?.mail.html?.includes('<img src="cid:mark" width="30" height="30" alt="Proofdesk"'))
  assert.ok(first?.mail.html?.includes('alt="The figure of Proof ID AAAA-BBBB-CCCC-DDDD-E"'))
  assert.ok(raw.length < 30_000)
})

test('what went wrong is told apart: no such name, no encryption, no mail server at all', async (t) => {
  const secure = await startMailServer(t, undefined, { secure: true })
  const greeter = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1')
  await once(greeter, 'listening')
  t.after(() => greeter.close())
  const { port } = greeter.address() as AddressInfo
  for (const [smtpUrl, problem] of [
    ['smtp://mail.nowhere.invalid', 'name_unknown'],
    [secure.url, 'not_encrypted'],
    [`smtp://127.0.0.1:${port}`, 'not_understood'],
  ] as const) {
    const mailer = await openMailer({ ...deps, config: { ...config, smtpUrl } })
    const failure = await mailer.send({ to: 'ada@example.org', ...content }, 'short').catch((error: unknown) => error)
    mailer.close()
    assert.equal(describeFailure(failure).problem, problem)
  }
})

test('an address can name one recipient only', async (t) => {
  const { received, url } = await startMailServer(t)
  const mailer = await openMailer({ ...deps, config: { ...config, smtpUrl: url } })
  t.after(() => mailer.close())
  for (const to of [
    'a@example.org, eve@example.org',
    'a@example.org\r\nRCPT TO:<eve@example.org>',
    'x <eve@example.org>',
  ])
    await mailer.send({ to, ...content }).catch(() => {})
  for (const { to } of received) assert.ok(!to.includes('eve@example.org'), JSON.stringify(to))
})

test('an address that is refused for good is given up, any other failure is worth another try', async (t) => {
  const gone = await startMailServer(t, { at: 'recipient', code: 550, words: 'no such user' })
  const greylisted = await startMailServer(t, { at: 'recipient', code: 450, words: 'greylisted' })
  const send = async (smtpUrl: string) => {
    const mailer = await openMailer({ ...deps, config: { ...config, smtpUrl } })
    try {
      await mailer.send({ to: 'ada@example.org', ...content })
    } finally {
      mailer.close()
    }
  }
  await assert.rejects(send(gone.url), HopelessWork)
  await assert.rejects(send(greylisted.url), (error) => !(error instanceof HopelessWork))
  await assert.rejects(send('smtp://127.0.0.1:1'), (error) => !(error instanceof HopelessWork))
})

test('without SMTP_URL mails are files that only their owner reads', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-mail-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const announced: string[] = []
  const mailer = await openMailer({ ...deps, config: { ...config, dataDir }, announce: (line) => announced.push(line) })
  await mailer.send({ to: 'ada@example.org', ...content })
  const folder = join(dataDir, 'outbox')
  const [name = ''] = await readdir(folder)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
  assert.deepEqual(announced, [`Mail written to ${join(folder, name)}`])
  const [mail] = await readMails(dataDir)
  assert.equal(mail?.to?.[0]?.address, 'ada@example.org')
  assert.equal(mail?.subject, 'Hello Bcc: eve@example.org')
})

test('mails that lie in the folder of a former version are moved to the others', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-mail-'))
  t.after(() => rm(dataDir, { recursive: true }))
  for (const [folder, name] of [
    ['mails', 'older.eml'],
    ['outbox', 'newer.eml'],
  ] as const) {
    await mkdir(join(dataDir, folder))
    await writeFile(join(dataDir, folder, name), name)
  }
  await openMailer({ ...deps, config: { ...config, dataDir } })
  assert.deepEqual(await readdir(dataDir), ['outbox'])
  assert.deepEqual((await readdir(join(dataDir, 'outbox'))).toSorted(), ['newer.eml', 'older.eml'])
})

test('a mail server that is away delays a verification mail, and loses none', async (t) => {
  const { received, url } = await startMailServer(t)
  const settings = { smtpUrl: 'smtp://127.0.0.1:1' }
  const server = await startTestServer(t, 'sqlite', { config: settings })
  const ada = await server.signIn('ada', { verified: false })
  await ada.post('/profile/resend_verification_email/')
  await server.settle()
  const [row] = await server.deps.db.selectFrom('outbox').selectAll().execute()
  assert.equal(row?.last_error, 'ESOCKET')
  assert.equal(row?.payload, JSON.stringify({ user_id: 1 }))
  server.config.smtpUrl = url
  await server.restart()
  server.clock.advance(2000)
  server.deps.outbox.ring()
  await server.settle()
  assert.equal(received.length, 1)
})
