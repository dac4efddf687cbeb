import { PRINTED_FIELDS } from '@proofdesk/proof/paper/compare-printed'
import type { PaperJudgement } from '../judge-paper.ts'
import {
  explainPaper,
  listHashes,
  listLimits,
  PAPER_WORDS,
  PRINTED_LABELS,
  sayClaim,
  sayPaperVerdict,
} from '../paper-words.ts'
import { formatTime, WORDS } from '../words.ts'
import { tame } from './format-judgement.ts'

/** What people read in a terminal, to be compared with the page. */
export function formatPaperForPeople(judgement: PaperJudgement): string {
  const { claims, code, policy, at } = judgement
  const lines = [
    `${sayPaperVerdict(judgement)}${code === null ? '' : ` (${code})`}`,
    `  ${explainPaper(judgement)}`,
    ...(claims
      ? [
          ...PRINTED_FIELDS.map((field) => `  ${PRINTED_LABELS[field]}: ${sayClaim(field, claims)}`),
          ...listHashes(claims).map(([name, value]) => `  ${name}: ${value}`),
          `  ${PAPER_WORDS.limitsTitle}:`,
          ...listLimits(claims).map((limit) => `  - ${limit}`),
        ]
      : []),
    `  ${WORDS.policyFingerprint}: ${policy.fingerprint}`,
    `  ${WORDS.checkedAt}: ${formatTime(Math.floor(at / 1000))}`,
  ]
  return lines.map(tame).join('\n')
}

/** One line of JSON. */
export function formatPaperForPrograms({ text, at, policy, ...report }: PaperJudgement): string {
  const { fingerprint, organisation } = policy
  return JSON.stringify({
    paper: text,
    at: new Date(at).toISOString(),
    ...report,
    policy: { fingerprint, organisation },
  })
}
