import { VOUCHING } from '@proofdesk/proof/document-verdict'
import { stripVTControlCharacters } from 'node:util'
import { listReached, type Judgement } from '../judge-document.ts'
import { explainVerdict, formatTime, listFields, sayRemark, sayState, sayStep, sayVerdict, WORDS } from '../words.ts'

/** What people read in a terminal. Fields come from the file, so nothing in them may steer the terminal. */
export function formatForPeople(judgement: Judgement): string {
  const { file, at, remarks, steps, fields, policy, verdict } = judgement
  const isOurs = VOUCHING.has(verdict)
  const lines = [
    `${file.name}: ${sayVerdict(judgement)}`,
    `  ${explainVerdict(judgement)}`,
    ...(isOurs ? remarks.map((remark) => `  - ${sayRemark(remark, judgement)}`) : []),
    ...(fields && isOurs ? listFields(fields).map(([name, value]) => `  ${name}: ${value}`) : []),
    ...listReached(steps).map(
      (step) => `  [${sayState(step)}] ${sayStep(step, policy.organisation)}${step.code ? ` (${step.code})` : ''}`,
    ),
    `  ${WORDS.fileSha256}: ${file.sha256}`,
    `  ${WORDS.policyFingerprint}: ${policy.fingerprint}`,
    `  ${WORDS.checkedAt}: ${formatTime(Math.floor(at / 1000))}`,
  ]
  return lines.map(tame).join('\n')
}

/** One line of JSON. */
export function formatForPrograms({ file, at, ...judgement }: Judgement): string {
  return JSON.stringify({
    file: file.name,
    sha256: file.sha256,
    size: file.size,
    at: new Date(at).toISOString(),
    ...judgement,
  })
}

/** Takes out what would steer a terminal, or turn its lines around. */
export function tame(line: string): string {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  return stripVTControlCharacters(line).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, ' ')
}
