import { ProofError } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { isContradiction } from '@proofdesk/proof/log/whole-log/log-findings'
import { EXIT_CODES, EXIT_USAGE, findLogCode, findUnreadCode } from '../exit-codes.ts'
import type { LogRequest, VerifyRequest } from '../read-arguments.ts'
import { UnreadFile } from '../read-named.ts'
import { formatLogForPeople, formatLogForPrograms, formatUnread } from './format-log.ts'
import { judgeLog, type LogJudgement } from './judge-log.ts'
import { askLog, UnreadLog } from './log-source.ts'
import { readRememberedHead, rememberHead, UnwrittenFile } from './remembered-head.ts'

/**
 * Reads a whole log and tells what came of it. Its head is remembered where nothing contradicts it: until then the one of before is the
 * evidence.
 * @returns the exit code
 */
export async function tellLog(
  { address, remember }: LogRequest,
  policy: InstancePolicy,
  { isJson, isStrict }: Pick<VerifyRequest, 'isJson' | 'isStrict'>,
): Promise<number> {
  const ending = new AbortController()
  try {
    const before = remember === undefined ? null : await readRememberedHead(remember, policy)
    const judgement = await judgeLog(askLog(address, ending.signal), {
      policy,
      now: Date.now(),
      remembered: before?.checkpoint ?? null,
    })
    console.log(isJson ? formatLogForPrograms(address, judgement) : formatLogForPeople(address, judgement))
    if (remember !== undefined && judgement.verdict !== 'contradicted')
      await rememberHead(remember, before?.note ?? null, judgement.head)
    return findLogCode(judgement.verdict, hasRemarks(judgement), isStrict)
  } catch (error) {
    if (error instanceof UnreadFile || error instanceof UnwrittenFile) {
      console.error(error.message)
      return EXIT_USAGE
    }
    const isOfLog = error instanceof UnreadLog || error instanceof ProofError
    if (!isOfLog) throw error
    console.log(formatUnread(address, error, isJson))
    return error instanceof ProofError ? findUnreadCode(error.code) : EXIT_CODES.unavailable
  } finally {
    ending.abort()
  }
}

function hasRemarks({ report }: LogJudgement): boolean {
  return report.findings.some(({ code }) => !isContradiction(code))
}
