import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { nameOf, numberOf, type PdfObject, readNumber, readNumbers } from '../pdf/object-store.ts'
import { leastScale, type Matrix } from '../pdf/simple-path.ts'
import { checkLineStyle } from './check-line-style.ts'

/** For printers; readers of screens heed some of them or none (ISO 32000-2 table 57). The reviewer's heeds none. */
const PRINTER_STATE = ['HT', 'HTO', 'BG', 'BG2', 'UCR', 'UCR2']
const OPACITIES = ['CA', 'ca']
const BLEND_MODES = new Set(
  [
    'Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference',
    'Exclusion Hue Saturation Color Luminosity',
  ]
    .join(' ')
    .split(' '),
)

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** Takes away what only some readers heed, and makes of what no standard allows what the reviewer's reader makes of it, or nothing. @throws Refusal `unreadable`. */
export function settleState(state: PdfDict, resolve: Resolve): void {
  for (const key of PRINTER_STATE) state.delete(key)
  if (state.has('Font')) throw new Disagreement('a font chosen by a graphics state, which only some readers heed')
  checkLineStyle(state, resolve)
  // other readers cut off corners then
  if ((readNumber(state.get('ML'), resolve) ?? 0) < 1) state.delete('ML')
  for (const key of OPACITIES) settleOpacity(state, key, resolve)
  const mask = resolve(state.get('SMask'))
  if (state.has('SMask') && !isMask(mask, resolve)) state.set('SMask', nameOf('None'))
  else if (mask instanceof PdfDict) settleMask(mask, resolve)
  const mode = state.get('BM')
  const modes = mode === undefined ? undefined : resolve(mode)
  if (!(modes instanceof PdfArray)) return
  const known = [...modes].map(resolve).find((item) => item instanceof PdfName && BLEND_MODES.has(item.value))
  state.set('BM', known ?? nameOf('Normal'))
}

/** From 0 to 1 (ISO 32000-2 section 11.6.4.4); beyond that some readers take the end, others the remainder or nothing. */
function settleOpacity(state: PdfDict, key: string, resolve: Resolve): void {
  if (!state.has(key)) return
  const value = readNumber(state.get(key), resolve)
  if (value === undefined) state.delete(key)
  else if (value < 0 || value > 1) state.set(key, numberOf(Math.min(1, Math.max(0, value))))
}

/** Of opacity there is no colour around it, which Poppler and Ghostscript heed (ISO 32000-2 table 142). */
function settleMask(mask: PdfDict, resolve: Resolve): void {
  const kind = resolve(mask.get('S'))
  if (kind instanceof PdfName && kind.value === 'Alpha') mask.delete('BC')
  checkMask(mask, resolve)
}

/**
 * Without a space of its own some readers take the luminosity of what is drawn, some take nothing (ISO 32000-2 section 11.5.3). Where it
 * is drawn without any extent the reviewer's reader masks nothing, others all.
 * @throws Refusal `unreadable`.
 */
function checkMask(mask: PdfDict, resolve: Resolve): void {
  const kind = resolve(mask.get('S'))
  const form = resolve(mask.get('G'))
  const matrix = form instanceof PdfDict ? readNumbers(form.get('Matrix'), resolve) : undefined
  if (matrix?.length === 6 && leastScale(matrix as unknown as Matrix) === 0)
    throw new Disagreement('a mask without any extent')
  const group = form instanceof PdfDict ? resolve(form.get('Group')) : undefined
  const hasSpace = group instanceof PdfDict && resolve(group.get('CS')) !== undefined
  if (kind instanceof PdfName && kind.value === 'Luminosity' && !hasSpace)
    throw new Disagreement('a mask by luminosity without a space of colours')
}

/** ISO 32000-2 table 142. */
function isMask(mask: PdfObject | undefined, resolve: Resolve): boolean {
  if (mask instanceof PdfName) return mask.value === 'None'
  if (!(mask instanceof PdfDict)) return false
  const kind = resolve(mask.get('S'))
  const isKnown = kind instanceof PdfName && (kind.value === 'Alpha' || kind.value === 'Luminosity')
  return isKnown && resolve(mask.get('G')) instanceof PdfStream
}
