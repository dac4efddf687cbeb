import { ProofError } from '@proofdesk/proof/errors'
import { isContradiction, type LogFinding, type LogVerdict } from '@proofdesk/proof/log/whole-log/log-findings'
import type { PageReport } from '@proofdesk/proof/log/whole-log/read-whole-log'
import { formatTime, WORDS } from '../../words.ts'
import { tame } from '../format-judgement.ts'
import type { LogJudgement } from './judge-log.ts'
import { LOG_WORDS, sayFinding } from './log-words.ts'

/** Cases of one kind that a person is told; programs are given more. */
const MOST_TOLD = 10

/** What people read in a terminal. Names come from the log, so nothing in them may steer the terminal. */
export function formatLogForPeople(address: string, judgement: LogJudgement): string {
  const { verdict, at, policy, cosignatures, report } = judgement
  const { findings } = report
  const lines = [
    `${address}: ${LOG_WORDS.verdicts[verdict]}`,
    `  ${explain(verdict, findings)}`,
    ...findings.flatMap(listCases),
    `  ${LOG_WORDS.entries}: ${report.size} (${Object.entries(report.kinds)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')})`,
    `  ${LOG_WORDS.head}: ${report.root}`,
    ...sayRemembered(report.rememberedSize, findings),
    `  ${LOG_WORDS.witnesses}: ${cosignatures.map(({ name, time }) => `${name}, ${formatTime(time)}`).join('; ') || WORDS.none}`,
    ...report.pages.map((page) => `  ${sayPage(page)}`),
    `  ${LOG_WORDS.limits}`,
    `  ${WORDS.policyOrganisation}: ${policy.organisation}`,
    `  ${WORDS.policyFingerprint}: ${policy.fingerprint}`,
    `  ${WORDS.checkedAt}: ${formatTime(Math.floor(at / 1000))}`,
    ...(verdict === 'contradicted'
      ? judgement.head
          .trimEnd()
          .split('\n')
          .map((line) => `  | ${line}`)
      : []),
  ]
  return lines.map(tame).join('\n')
}

function explain(verdict: LogVerdict, findings: readonly LogFinding[]): string {
  const isUncompared = verdict === 'consistent' && findings.some(({ code }) => code === 'status_unsure')
  return isUncompared ? LOG_WORDS.uncompared : LOG_WORDS.explanations[verdict]
}

function listCases({ code, count, cases }: LogFinding): string[] {
  const mark = isContradiction(code) ? '!' : '-'
  const told = cases.slice(0, MOST_TOLD).map((details) => `  ${mark} ${sayFinding(code, details)} (${code})`)
  return count > told.length ? [...told, `  ${mark} … ${count} of these in all (${code})`] : told
}

function sayRemembered(size: number | null, findings: readonly LogFinding[]): string[] {
  if (findings.some(({ code }) => code === 'rewritten')) return []
  return [`  ${size === null ? LOG_WORDS.rememberedNone : LOG_WORDS.remembered(size)}`]
}

function sayPage({ page, made, served }: PageReport): string {
  const said = served
    ? `of ${formatTime(served.time)}, ${served.revoked} revoked or ended among the first ${served.size} entries, made ${made} times`
    : `${LOG_WORDS.pageNone}; made ${made} times`
  return `${LOG_WORDS.page(page)}: ${said}`
}

/** One line of JSON. */
export function formatLogForPrograms(address: string, { at, ...judgement }: LogJudgement): string {
  return JSON.stringify({ log: address, at: new Date(at).toISOString(), ...judgement })
}

/** Why a log was not judged; for programs one line of JSON. */
export function formatUnread(address: string, error: Error, isJson: boolean): string {
  const code = error instanceof ProofError ? error.code : null
  if (isJson) return JSON.stringify({ log: address, verdict: null, code, message: error.message })
  const isUnjudged = code === 'newer' || code === 'unsupported'
  const words = code === null ? LOG_WORDS.unread : isUnjudged ? LOG_WORDS.unreadable : LOG_WORDS.untrusted
  return tame(`${address}: ${words}: ${error.message}${code === null ? '' : ` (${code})`}`)
}
