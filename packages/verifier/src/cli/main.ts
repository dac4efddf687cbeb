// `npm run verify -- file.pdf --policy proofdesk-policy.json`: what the offline page says, in a terminal.
import { ProofError } from '@proofdesk/proof/errors'
import { judgeReceipt, takeReceipt } from '@proofdesk/proof/receipt-file'
import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { judgeDocument, type JudgingTerms } from '../judge-document.ts'
import { judgePaper } from '../judge-paper.ts'
import { EXIT_CODES, EXIT_USAGE, findExitCode, findUnjudgedCode } from './exit-codes.ts'
import { fetchStatus } from './fetch-status.ts'
import { formatForPeople, formatForPrograms } from './format-judgement.ts'
import { formatPaperForPeople, formatPaperForPrograms } from './format-paper.ts'
import { formatReceiptForPeople } from './format-receipt.ts'
import { tellLog } from './log/tell-log.ts'
import { WORDS } from '../words.ts'
import { readArguments, USAGE, UsageError, type VerifyRequest } from './read-arguments.ts'
import { readNamed, readNamedText, UnreadFile } from './read-named.ts'

process.exitCode = await run(process.argv.slice(2))

/** @returns the exit code */
async function run(args: string[]): Promise<number> {
  try {
    const request = readArguments(args)
    if (request) return await judgeFiles(request)
    console.log(USAGE)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n\n${USAGE}`)
    return EXIT_USAGE
  }
}

async function judgeFiles(request: VerifyRequest): Promise<number> {
  const terms = await readTerms(request)
  if (request.log) return tellLog(request.log, terms.policy, request)
  if (request.receipt !== undefined) return tellReceipt(request.receipt, terms)
  let exitCode = request.paper === undefined ? 0 : await judgeCode(request.paper, terms, request.isJson)
  for (const name of request.files) {
    const code = await judgeFile(name, terms, request)
    exitCode ||= code
  }
  return exitCode
}

async function judgeCode(text: string, terms: JudgingTerms, isJson: boolean): Promise<number> {
  const judgement = await judgePaper(text, terms)
  console.log(isJson ? formatPaperForPrograms(judgement) : formatPaperForPeople(judgement))
  return EXIT_CODES[judgement.verdict]
}

async function tellReceipt(name: string, { policy }: JudgingTerms): Promise<number> {
  const note = await readNamedText(name).catch(complainUnread)
  if (note === undefined) return EXIT_USAGE
  const outcome = await judgeReceipt(takeReceipt(note), policy)
  if (typeof outcome === 'object') {
    console.log(formatReceiptForPeople(outcome, policy))
    return EXIT_CODES[outcome.verdict]
  }
  console.log(`${WORDS.receiptBroken} (${outcome})`)
  return findUnjudgedCode(outcome)
}

async function judgeFile(
  name: string,
  terms: JudgingTerms,
  { isJson, isStrict }: Pick<VerifyRequest, 'isJson' | 'isStrict'>,
): Promise<number> {
  const bytes = await readNamed(name).catch(complainUnread)
  if (!bytes) return EXIT_USAGE
  const judgement = await judgeDocument({ name, bytes }, terms)
  console.log(isJson ? formatForPrograms(judgement) : formatForPeople(judgement))
  return findExitCode(judgement.verdict, judgement.remarks, isStrict)
}

function complainUnread(error: unknown): undefined {
  if (!(error instanceof UnreadFile)) throw error
  console.error(error.message)
}

/** @throws UsageError */
async function readTerms({ policy, at, status, isOnline }: VerifyRequest): Promise<JudgingTerms> {
  try {
    const trusted = readPolicy(await readNamed(policy))
    const complain = (why: string) => console.error(`Whether it was revoked could not be asked: ${why}`)
    const asked = isOnline ? fetchStatus(trusted, complain) : undefined
    const statusPage = status === undefined ? asked : await readNamedText(status)
    return { policy: trusted, at: at ?? Date.now(), isAsked: at !== undefined, statusPage }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readPolicy(bytes: Uint8Array<ArrayBuffer>): InstancePolicy {
  try {
    return parseInstancePolicy(bytes)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new UsageError(`The policy cannot be used: ${error.message} (${error.code})`)
  }
}
