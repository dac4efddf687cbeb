import { VOUCHING } from '@proofdesk/proof/document-verdict'
import type { Growth } from '../check-growth.ts'
import { listReached, type Judgement } from '../judge-document.ts'
import {
  explainVerdict,
  formatTime,
  listDetails,
  listFields,
  sayGrowth,
  sayRemark,
  sayState,
  sayStep,
  sayVerdict,
  WORDS,
} from '../words.ts'
import { drawFigure, drawSign } from './drawing.ts'
import { make, makeFacts } from './element.ts'

/** The whole answer about one file. @param isInDoubt the policy changed, and nobody has compared it yet */
export function showJudgement(judgement: Judgement, isInDoubt: boolean): Node[] {
  const { verdict, remarks, steps, fields, file, at, policy } = judgement
  const heading = make('h2', { id: 'verdict' }, sayVerdict(judgement))
  const band = make(
    'div',
    { class: `band ${chooseColour(judgement)}` },
    make('div', {}, heading, make('p', {}, explainVerdict(judgement))),
    fields?.pid !== undefined && VOUCHING.has(verdict) ? drawFigure(fields.pid, 'large') : undefined,
  )
  const hasRemarks = remarks.length > 0 && VOUCHING.has(verdict)
  return [
    band,
    ...(isInDoubt ? [make('p', { class: 'alarm' }, WORDS.policyDoubt)] : []),
    ...(hasRemarks
      ? [
          make('h3', {}, WORDS.remarksTitle),
          make('ul', { class: 'remarks' }, ...remarks.map((one) => make('li', {}, sayRemark(one, judgement)))),
        ]
      : []),
    ...(fields && VOUCHING.has(verdict) ? [make('h3', {}, WORDS.fieldsTitle), makeFacts(listFields(fields))] : []),
    make('h3', {}, WORDS.stepsTitle),
    make('p', { class: 'hint' }, WORDS.stepsHint),
    make(
      'ol',
      { class: 'steps' },
      ...listReached(steps).map((step) => make('li', {}, showStep(step, policy.organisation))),
    ),
    make('h3', {}, WORDS.fileTitle),
    makeFacts([
      [WORDS.fileName, file.name],
      [WORDS.fileSize, WORDS.bytes(file.size)],
      [WORDS.fileSha256, file.sha256],
      [WORDS.checkedAt, WORDS.byClock(formatTime(Math.floor(at / 1000)))],
    ]),
  ]
}

function chooseColour({ verdict, remarks }: Judgement): string {
  if (verdict === 'altered' || verdict === 'revoked') return 'bad'
  if (verdict === 'valid') return remarks.length > 0 ? 'reserved' : 'good'
  return verdict === 'unavailable' || verdict === 'newer' ? 'silent' : 'reserved'
}

function showStep(step: Judgement['steps'][number], organisation: string): HTMLElement {
  const details = [...(step.code === undefined ? [] : [[WORDS.stepCode, step.code] as const]), ...listDetails(step)]
  return make(
    'details',
    {},
    make(
      'summary',
      {},
      drawSign(step.state),
      make('span', {}, make('span', { class: 'unseen' }, `${sayState(step)}: `), sayStep(step, organisation)),
    ),
    details.length > 0 ? makeFacts(details) : make('p', { class: 'hint' }, WORDS.noDetails),
  )
}

/** How the log goes on, with the evidence where it does not. */
export function showGrowth(growth: Growth): Node[] {
  const title = make('h3', {}, WORDS.growthTitle)
  if (growth.kind === 'continues' || growth.kind === 'unknown') return [title, make('p', {}, sayGrowth(growth))]
  const evidence = `${growth.documentHead}\n${growth.newestHead}`
  const said = make('p', { class: 'hint', role: 'status' })
  const copy = make('button', { type: 'button' }, WORDS.copy)
  copy.addEventListener('click', () => {
    const isOver = navigator.clipboard?.writeText(evidence) ?? Promise.reject(new Error('no clipboard'))
    void isOver.then(
      () => said.replaceChildren(WORDS.copied),
      () => said.replaceChildren(WORDS.copyFailed),
    )
  })
  return [
    title,
    make(
      'div',
      { class: 'alarm', role: 'alert' },
      make('p', {}, sayGrowth(growth)),
      make('pre', { tabindex: '0', 'aria-label': WORDS.growthTitle }, evidence),
      copy,
      said,
    ),
  ]
}
