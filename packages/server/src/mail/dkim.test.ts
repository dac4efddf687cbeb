import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config/config.ts'
import { openLogger } from '../logger.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { composeMail } from './compose.ts'
import { openMailer } from './open-mailer.ts'

const writePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const makeRsa = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength })
const key = makeRsa()
const SIGNING = { DKIM_DOMAIN: 'Example.org', DKIM_SELECTOR: 'desk2027', DKIM_KEY: writePem(key.privateKey) }

test('8.82 mails are signed by all three settings together, or by none', async (t) => {
  const read = (changes: Record<string, string | undefined>) => readConfig({ ...SIGNING, ...changes }).dkim
  assert.deepEqual(read({}), { domain: 'example.org', selector: 'desk2027', privateKey: SIGNING.DKIM_KEY })
  assert.equal(readConfig({}).dkim, undefined)
  for (const name of Object.keys(SIGNING))
    assert.throws(() => read({ [name]: undefined }), new RegExp(`^ConfigError: ${name} is missing: `))
  const ed25519 = generateKeyPairSync('ed25519')
  const wrong: [string, (string | undefined)[]][] = [
    ['DKIM_DOMAIN', ['org', 'exa mple.org', '.example.org', 'example.org;x=1', `${'x'.repeat(64)}.org`]],
    ['DKIM_SELECTOR', ['a b', 'desk.', 'desk;d=x', 'x'.repeat(64)]],
    [
      'DKIM_KEY',
      [
        'secret',
        writePem(makeRsa(1024).privateKey),
        writePem(ed25519.privateKey),
        key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        key.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }).toString(),
      ],
    ],
  ]
  for (const [name, values] of wrong)
    for (const value of values)
      assert.throws(
        () => read({ [name]: value }),
        ({ message }: Error) => message.startsWith(`${name} is wrong: `) && !/[\n;]|secret/.test(message),
      )
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-dkim-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'key.pem')
  await writeFile(file, SIGNING.DKIM_KEY)
  assert.equal(read({ DKIM_KEY: undefined, DKIM_KEY_FILE: file })?.privateKey, SIGNING.DKIM_KEY.trimEnd())
})

const VERIFY = `
import sys, dkim
record = sys.argv[1].encode()
names = []
def ask(name, **_):
    names.append(name.decode())
    return record
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=ask), *names)`

/** Debian's own Python has its packages; another may stand before it on the path. */
const python = ['/usr/bin/python3', 'python3'].find((path) => spawnSync(path, ['-c', 'import dkim']).status === 0)

/** What dkimpy says of a mail where this record is published, and where it looked. */
function judge(mail: Buffer, record: string): string {
  return spawnSync(python ?? '', ['-c', VERIFY, record], { input: mail, encoding: 'utf8' }).stdout.trim()
}

test('8.82 a mail is signed so that others can tell it was changed', async (t) => {
  if (python === undefined) {
    assert.notEqual(process.env['CI'], 'true', 'dkimpy (Debian package python3-dkim) is not installed')
    return t.skip('dkimpy (Debian package python3-dkim) is not installed')
  }
  const { received, url } = await startMailServer(t)
  const config = readConfig({ ...SIGNING, SMTP_URL: url, MAIL_FROM: 'Büro <desk@example.org>' })
  const mailer = await openMailer({ config, logger: openLogger('silent'), now: Date.now, announce: () => {} })
  t.after(() => mailer.close())
  const recordOf = (published: KeyObject) =>
    `v=DKIM1; k=rsa; p=${published.export({ type: 'spki', format: 'der' }).toString('base64')}`
  const contents = [
    { subject: 'Plain', heading: 'H', greetingName: 'ada', paragraphs: ['One  two\t three   ', '.', ' '] },
    { subject: 'Ünïcode سند', heading: '证书', greetingName: 'عادا', paragraphs: ['سند '.repeat(400)] },
    {
      subject: 'x'.repeat(300),
      heading: 'H',
      greetingName: 'a',
      paragraphs: [],
      figure: { proofId: 'AAAA-BBBB-CCCC-DDDD-E' },
    },
  ]
  for (const content of contents) await mailer.send({ to: 'ada@example.net', ...composeMail(config, content) })
  assert.equal(received.length, contents.length)
  for (const { raw, mail } of received) {
    assert.equal(judge(raw, recordOf(key.publicKey)), 'True desk2027._domainkey.example.org.', mail.subject)
    assert.match(judge(raw, recordOf(makeRsa().publicKey)), /^False/)
    const text = raw.toString('latin1')
    for (const changed of [
      text.replace(/^From: .*$/m, 'From: eve@example.org'),
      text.replace(/^Subject:/m, 'Subject: not'),
      `${text}Send money.\r\n`,
    ]) {
      assert.ok(changed !== text)
      assert.match(judge(Buffer.from(changed, 'latin1'), recordOf(key.publicKey)), /^False/)
    }
  }
})

test('8.82 without the settings no mail is signed', async (t) => {
  const { received, url } = await startMailServer(t)
  const config = readConfig({ SMTP_URL: url })
  const mailer = await openMailer({ config, logger: openLogger('silent'), now: Date.now, announce: () => {} })
  t.after(() => mailer.close())
  const content = { subject: 'S', heading: 'H', greetingName: 'ada', paragraphs: [] }
  await mailer.send({ to: 'ada@example.net', ...composeMail(config, content) })
  assert.equal(received.length, 1)
  assert.doesNotMatch(received[0]?.raw.toString('latin1') ?? '', /^dkim-signature/im)
})
