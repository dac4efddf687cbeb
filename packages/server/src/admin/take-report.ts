import type { Readable } from 'node:stream'
import { listMails } from '../app.ts'
import { tellReturn } from '../features/mail-delivery/refused-mail.ts'
import { EXIT_TRY_LATER, explainFailure } from '../config/start-failure.ts'
import { readMessageId } from '../mail/message-id.ts'
import { readReport, REPORT_MAX_BYTES } from '../mail/read-report.ts'
import { keepSecretKey } from '../secrets/keep-secret-key.ts'
import { makeShellDeps } from '../events/shell-deps.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { withPresentData } from './with-present-data.ts'

/**
 * Takes a mail that came to the sender's address, also while the server runs. What is no report about a mail of ours is
 * passed over: a mail server that is told of a failure sends the mail back. One that is told to come later brings it again.
 * @returns true whatever the mail is, or the exit code that says later
 */
export async function takeReport(args: string[], terminal: Terminal): Promise<true | number> {
  if (args.length > 0) throw new UsageError('take-report takes nothing else.')
  try {
    await take(terminal)
    return true
  } catch (error) {
    // A database that is away, a setting that is wrong: nothing of it is the fault of the mail.
    terminal.err(explainFailure(error, 'take-report failed'))
    return EXIT_TRY_LATER
  }
}

async function take(terminal: Terminal): Promise<void> {
  const raw = await readAll(terminal.input)
  const report = raw && (await readReport(raw))
  if (!report) return terminal.out('This is no report about a mail: passed over.')
  await withPresentData(terminal, async (database, config) => {
    const secrets = await keepSecretKey(database.db, config)
    const sent = readMessageId(secrets, report.messageId, Date.now())
    const mail = sent && listMails().find(({ of }) => of.kind === sent.kind)
    if (!sent || !mail) terminal.out('This report is about no mail of this installation, or an old one: passed over.')
    else if (!report.hasFailed) terminal.out('The mail is late, and not given up: passed over.')
    else {
      const deps = { ...makeShellDeps(database.db), reads: database.reads, secrets }
      const isFirst = await tellReturn(deps, mail, sent, report.words)
      terminal.out(isFirst ? 'Those are told whom it concerns.' : 'This mail was told of before: passed over.')
    }
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
