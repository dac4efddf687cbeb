import type { Step } from '@proofdesk/proof/document-verdict'
import { PRINTED_FIELDS, type PrintedField } from '@proofdesk/proof/paper/compare-printed'
import type { PaperClaims } from '@proofdesk/proof/paper/paper-claims'
import { compareField, type FieldComparison } from '../../compare-field.ts'
import { PAPER_WORDS, PRINTED_LABELS, sayClaim } from '../../paper-words.ts'
import type { ComparedText } from '../../paper-receipt.ts'
import { drawSign } from '../drawing.ts'
import { make } from '../element.ts'

/** What the code says beside what a person reads on the page. */
export interface CompareForm {
  element: HTMLElement
  /** What was typed so far. */
  listCompared(): ComparedText[]
}

export function makeCompareForm(claims: PaperClaims): CompareForm {
  const typed = new Map<PrintedField, HTMLInputElement>()
  const summary = make('p', { class: 'fault', role: 'alert' })

  function listCompared(): ComparedText[] {
    return [...typed].flatMap(([field, { value }]) => {
      const found = compareField(field, claims, value)
      return found === undefined
        ? []
        : [{ field, printed: value, isSame: found === 'beginning' ? null : found === 'same' }]
    })
  }
  function sumUp(): void {
    const count = listCompared().filter(({ isSame }) => isSame === false).length
    summary.replaceChildren(count === 0 ? '' : PAPER_WORDS.mismatch(count))
  }

  const rows = PRINTED_FIELDS.map((field) => {
    const { row, input } = makeRow(field, claims, sumUp)
    typed.set(field, input)
    return row
  })
  const element = make(
    'section',
    { 'aria-labelledby': 'compare-title' },
    make('h3', { id: 'compare-title' }, PAPER_WORDS.compareTitle),
    make('p', { class: 'hint' }, PAPER_WORDS.compareHint),
    summary,
    make('div', { class: 'compare' }, ...rows),
  )
  return { element, listCompared }
}

const LOOKS: Record<FieldComparison, Step['state']> = { same: 'passed', beginning: 'unknown', differs: 'failed' }

function makeRow(field: PrintedField, claims: PaperClaims, onChange: () => void) {
  const id = `printed-${field}`
  const input = make('input', {
    id,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': `${id}-code ${id}-state`,
  })
  const state = make('p', { id: `${id}-state`, class: 'state', role: 'status' })
  input.addEventListener('change', () => {
    const found = compareField(field, claims, input.value)
    const looks = found && LOOKS[found]
    state.className = `state ${looks ?? ''}`
    state.replaceChildren(...(found && looks ? [drawSign(looks), PAPER_WORDS.compared[found]] : []))
    onChange()
  })
  const label = make('label', { for: id }, PRINTED_LABELS[field])
  const said = make('p', { id: `${id}-code`, class: 'said' }, make('bdi', {}, sayClaim(field, claims)))
  return { row: make('div', {}, label, said, input, state), input }
}
