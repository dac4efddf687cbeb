import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { findProgram } from '../fonts/find-program.ts'
import { refuseProgram } from '../fonts/compact-tables.ts'
import {
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  resolveObject,
} from '../pdf/object-store.ts'

/** Simple fonts (ISO 32000-2 section 9.6); those that draw their letters have widths by their own matrix. */
const KINDS = new Set(['Type1', 'MMType1', 'TrueType'])
const LAST_CODE = 255
/** Thousandths of the size; PDFium takes a width as a whole number of 16 bits without a sign. */
const WIDEST = 32_767

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Says of the codes of simple fonts how wide their letters are, in the one form that all readers take alike (ISO 32000-2 section 9.6.2.1).
 * PDFium and Poppler go by the last code, so that letters behind it stand on each other, and the reviewer's reader by the length of
 * the list; PDFium cuts off fractions, which adds up along a text.
 * @throws Refusal `unreadable` for widths that PDFium takes for others, and where an embedded font has none.
 */
export function settleSimpleWidths(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const font of fonts) {
    const kind = resolve(font.get('Subtype'))
    if (!(kind instanceof PdfName && KINDS.has(kind.value))) continue
    const descriptor = resolve(font.get('FontDescriptor'))
    const list = resolve(font.get('Widths'))
    if (list instanceof PdfArray) settleList(font, list, settleMissing(descriptor, resolve), resolve)
    else if (descriptor instanceof PdfDict && findProgram(descriptor, resolve) !== undefined)
      refuseProgram('letters without widths')
  }
}

/** @returns how wide codes are that the list does not reach. */
function settleMissing(descriptor: PdfObject | undefined, resolve: Resolve): number {
  if (!(descriptor instanceof PdfDict) || !descriptor.has('MissingWidth')) return 0
  const missing = readNumber(descriptor.get('MissingWidth'), resolve)
  const width = roundWidth(missing ?? 0)
  if (missing !== width) descriptor.set('MissingWidth', numberOf(width))
  return width
}

function settleList(font: PdfDict, list: PdfArray, missing: number, resolve: Resolve): void {
  const first = readNumber(font.get('FirstChar'), resolve) ?? 0
  if (!Number.isInteger(first)) refuseProgram('widths from a code on that is none')
  const given = [...list].map((item) => readNumber(item, resolve))
  const low = Math.min(Math.max(first, 0), LAST_CODE)
  const high = Math.max(low, Math.min(first + given.length - 1, LAST_CODE))
  const widths = Array.from({ length: high - low + 1 }, (_, i) => roundWidth(given[low + i - first] ?? missing))
  const last = readNumber(font.get('LastChar'), resolve)
  const isWhole = first === low && last === high && given.length === widths.length
  if (isWhole && widths.every((width, i) => width === given[i])) return
  font.set('FirstChar', numberOf(low))
  font.set('LastChar', numberOf(high))
  font.set('Widths', numbersOf(widths))
}

/** A negative one, as some programs write for codes without a letter, is none. */
function roundWidth(width: number): number {
  const rounded = Math.max(0, Math.round(width))
  if (rounded > WIDEST) refuseProgram('letters that are too wide')
  return rounded
}
