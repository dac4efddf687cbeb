import { PdfArray, type PdfDict } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { type PdfObject, readNumber, readNumbers } from '../pdf/object-store.ts'
import { areDashes, isEndOrCorner, isLineWidth } from '../pdf/line-style.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

const RULES: [key: string, isAllowed: (value: number) => boolean][] = [
  ['LW', isLineWidth],
  ['LC', isEndOrCorner],
  ['LJ', isEndOrCorner],
  ['ML', Number.isFinite],
]

/** Lines as a graphics state sets them, by the rules for operators (ISO 32000-2 table 57). @throws Refusal `unreadable`. */
export function checkLineStyle(state: PdfDict, resolve: Resolve): void {
  for (const [key, isAllowed] of RULES) {
    if (!state.has(key)) continue
    const value = readNumber(state.get(key), resolve)
    if (value === undefined || !isAllowed(value))
      throw new Disagreement(`${key} of a graphics state, which readers take in different ways`)
  }
  if (state.has('D') && !isDashing(resolve(state.get('D')), resolve))
    throw new Disagreement('dashes of a graphics state that are none')
}

function isDashing(dashing: PdfObject | undefined, resolve: Resolve): boolean {
  if (!(dashing instanceof PdfArray) || dashing.length !== 2) return false
  const [lengths, phase] = [readNumbers(dashing.at(0), resolve), readNumber(dashing.at(1), resolve)]
  return lengths !== undefined && phase !== undefined && areDashes(lengths, phase)
}
