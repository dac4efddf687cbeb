import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { listMails } from '../app.ts'
import { readMessageId, makeMessageId } from '../mail/message-id.ts'
import { readReport, REPORT_MAX_BYTES } from '../mail/read-report.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { writeReport } from '../testing/delivery-report.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { ADMIN, run, start, type Settings } from '../testing/server-process.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { takeReport } from './take-report.ts'

const ORIGINAL = Buffer.from('Message-ID: <some@proof.example>\r\nSubject: Hello\r\n\r\nText\r\n')

test('8.89 reports are read in the forms that mail servers write', async () => {
  assert.deepEqual(await readReport(writeReport(ORIGINAL)), {
    messageId: '<some@proof.example>',
    hasFailed: true,
    words: '550 5.1.1 <[address]>: Recipient address rejected: User unknown',
  })
  const text = writeReport(ORIGINAL).toString('latin1')
  const read = (changed: string) => readReport(Buffer.from(changed, 'latin1'))
  const headersAlone = text.replace('message/rfc822', 'text/rfc822-headers').replace('\r\nText\r\n', '')
  assert.equal((await read(headersAlone))?.messageId, '<some@proof.example>')
  const folded = text.replace('Message-ID: <some@proof.example>', 'Message-Id:\r\n <some@proof.example>')
  assert.equal((await read(folded))?.messageId, '<some@proof.example>')
  assert.equal((await readReport(writeReport(ORIGINAL, { action: 'delayed' })))?.hasFailed, false)
  assert.equal((await readReport(writeReport(ORIGINAL, { action: 'delivered' })))?.hasFailed, false)
  assert.equal((await read(text.replace(/Diagnostic-Code:[^]*?unknown/i, 'X: y')))?.words, '5.1.1')
  // A name in the text that was written, and not among the fields, is nobody's.
  const quoted = Buffer.from('Subject: x\r\n\r\nMessage-ID: <other@proof.example>\r\n')
  assert.equal(await readReport(writeReport(quoted)), undefined)
})

test('8.89 what is no report is passed over, however it is made', async () => {
  for (const raw of [
    '',
    'Subject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n',
    writeReport(ORIGINAL).toString('latin1').replace('message/delivery-status', 'text/plain'),
    writeReport(ORIGINAL).subarray(0, 900).toString('latin1'),
    `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n'.repeat(5000)}`,
  ])
    assert.equal(await readReport(Buffer.from(raw, 'latin1')), undefined)
  const begin = performance.now()
  await readReport(writeReport(Buffer.from(`Message-ID: ${' '.repeat(REPORT_MAX_BYTES / 2)}x\r\n\r\n`)))
  await readReport(randomBytes(REPORT_MAX_BYTES))
  assert.ok(performance.now() - begin < 2000)
})

test('8.89 the name of a mail is read by whoever gave it, for three weeks, and by nobody else', () => {
  const secrets = openSecretBox(randomBytes(32))
  const work = { kind: 'approval_mail', payload: { proof_id: 7 } }
  const id = makeMessageId(secrets, work, { to: 'Ada@example.org', at: 1000, host: 'proof.example' })
  assert.match(id, /^<[\w-]{40,200}@proof\.example>$/)
  const read = readMessageId(secrets, id, 2000)
  assert.deepEqual([read?.kind, read?.payload], [work.kind, work.payload])
  assert.deepEqual([read?.wentTo('ada@EXAMPLE.org'), read?.wentTo('eve@example.org')], [true, false])
  assert.equal(readMessageId(secrets, id, 1000 + 22 * 86_400_000), undefined)
  assert.equal(readMessageId(openSecretBox(randomBytes(32)), id, 2000), undefined)
  assert.equal(
    readMessageId(
      secrets,
      id.replace(/^<./, (first) => (first === '<A' ? '<B' : '<A')),
      2000,
    ),
    undefined,
  )
  for (const wrong of ['', '<>', '<a@b>', `<${'A'.repeat(100)}@proof.example>`, id.slice(1)])
    assert.equal(readMessageId(secrets, wrong, 2000), undefined)
  const longest =
    listMails()
      .map(({ of }) => of.kind.length)
      .toSorted((a, b) => b - a)[0] ?? 0
  assert.ok(longest < 40, 'names fit into one line of a mail')
})

test('8.87 8.89 8.92 a mail that comes back is told to whom it was for, once, while the server runs', async (t) => {
  const mails = await startMailServer(t)
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-report-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const settings: Settings = {
    DATA_DIR: dataDir,
    SMTP_URL: mails.url,
    MAIL_FROM: 'desk@proof.example',
    MIN_FREE_MB: '0',
  }
  const made = run(
    ADMIN,
    ['create-user', '--username', 'ada', '--email', 'ada@example.org', '--password', 'Secret1!', '--role', 'user'],
    settings,
  )
  assert.equal(await made.ended, 0, await made.errors)
  const server = await start(settings)
  t.after(async () => {
    server.child.kill()
    await server.ended
  })
  const { raw } = await waitUntil(() => mails.received[0])
  const take = async (mail: Buffer | string) => {
    const lines: string[] = []
    const terminal = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) }
    assert.equal(
      await takeReport([], { ...terminal, input: Readable.from([Buffer.from(mail)]), environment: settings }),
      true,
    )
    return lines.join('\n')
  }
  const readRefusal = async () => {
    const signedIn = await fetch(`${server.url}/backend/api/v1/auth/login/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ada', password: 'Secret1!' }),
    })
    const { access } = (await signedIn.json()) as { access: string }
    const info = await fetch(`${server.url}/backend/api/v1/user/info`, {
      headers: { authorization: `Bearer ${access}` },
    })
    return ((await info.json()) as { mail_refusal: { words: string } | null }).mail_refusal
  }
  assert.match(await take(writeReport(raw, { action: 'delayed' })), /late/)
  const forged = raw.toString('latin1').replace(/^(Message-ID:\s*<)./im, '$1__')
  assert.notEqual(forged, raw.toString('latin1'))
  assert.match(await take(writeReport(Buffer.from(forged, 'latin1'))), /no mail of this installation/)
  assert.match(await take('Subject: Hello\r\n\r\nIs anybody there?\r\n'), /no report/)
  assert.match(await take(Buffer.alloc(REPORT_MAX_BYTES + 1, 'x')), /no report/)
  assert.equal(await readRefusal(), null)
  assert.equal(await take(writeReport(raw)), 'Those are told whom it concerns.')
  assert.equal((await readRefusal())?.words, '550 5.1.1 <[address]>: Recipient address rejected: User unknown')
  assert.equal(await take(writeReport(raw)), 'This mail was told of before: passed over.')
  const elsewhere = raw.toString('latin1').replace(/^(Message-ID:\s*<[\w-]+@)/im, '$1else.')
  assert.notEqual(elsewhere, raw.toString('latin1'))
  assert.match(await take(writeReport(Buffer.from(elsewhere, 'latin1'))), /told of before/)
})

test('8.89 a report that comes while nothing can be looked up is to be brought again, and not sent back', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'proofdesk-report-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const report = writeReport(ORIGINAL).toString('latin1')
  for (const [settings, why] of [
    [{ DATABASE_URL: 'postgres://user@127.0.0.1:1/proof' }, /nothing answers there$/],
    [{}, /^There is no database in /],
    [{ DATABASE_URL_FILE: join(dataDir, 'missing') }, /^DATABASE_URL_FILE is wrong/],
  ] as const) {
    const { status, err } = await runCommand(['take-report'], { DATA_DIR: dataDir, ...settings }, report)
    // EX_TEMPFAIL of sysexits.h, which mail servers know.
    assert.equal(status, 75)
    assert.match(err, why)
  }
  assert.equal((await runCommand(['take-report', 'something'], { DATA_DIR: dataDir }, report)).status, 2)
})
