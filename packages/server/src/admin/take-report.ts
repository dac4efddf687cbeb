import type { Readable } from 'node:stream'
import { listMails } from '../app.ts'
import { tellReturn } from '../features/mail-delivery/refused-mail.ts'
import { readMessageId } from '../mail/message-id.ts'
import { readReport, REPORT_MAX_BYTES } from '../mail/read-report.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { makeShellDeps } from './shell-deps.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

/**
 * Takes a mail that came to the sender's address, also while the server runs. What is no report about a mail of ours is
 * passed over: a mail server that is told of a failure sends the mail back, or tries again.
 * @returns true whatever the mail is
 */
export async function takeReport(args: string[], terminal: Terminal): Promise<boolean> {
  if (args.length > 0) throw new UsageError('take-report takes nothing else.')
  const raw = await readAll(terminal.input)
  const report = raw && (await readReport(raw))
  if (!report) {
    terminal.out('This is no report about a mail: passed over.')
    return true
  }
  return withPresentData(terminal, async (database, config) => {
    const secrets = await keepSecretKey(database.db, config)
    const sent = readMessageId(secrets, report.messageId, Date.now())
    const mail = sent && listMails().find(({ of }) => of.kind === sent.kind)
    if (!sent || !mail) terminal.out('This report is about no mail of this installation, or an old one: passed over.')
    else if (!report.hasFailed) terminal.out('The mail is late, and not given up: passed over.')
    else {
      const deps = { ...makeShellDeps(database.db), reads: database.reads, secrets }
      await tellReturn(deps, mail, sent, report.words)
      terminal.out('Those are told whom it concerns.')
    }
    return true
  })
}

/** @returns undefined for more than any report has; the rest is read all the same, so that nobody who writes is cut off */
async function readAll(input: Readable): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    length += (chunk as Buffer).length
    if (length <= REPORT_MAX_BYTES) chunks.push(Buffer.from(chunk as Buffer))
  }
  return length <= REPORT_MAX_BYTES ? Buffer.concat(chunks) : undefined
}
