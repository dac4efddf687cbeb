import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { ENCODINGS } from '../fonts/latin-glyphs.ts'
import { readDifferences } from '../fonts/read-differences.ts'
import {
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  readNumbers,
  resolveObject,
} from '../pdf/object-store.ts'

const LAST_CODE = 255
const THOUSAND = 1000
const SAME = 1e-3

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Says of each code of a font that draws its letters which it has, and how wide it is: without an encoding PDFium shows none, where no width is
 * given it takes what the letter says of itself, and it rounds widths to thousandths.
 * @returns letters that have no width for some code.
 * @throws Refusal `unreadable` where readers would put letters elsewhere, or disagree on which they are.
 */
export function settleDrawnFonts(store: ObjectStore, fonts: readonly PdfDict[]): Set<PdfObject> {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const narrow = new Set<PdfObject>()
  for (const font of fonts) {
    const kind = resolve(font.get('Subtype'))
    const letters = resolve(font.get('CharProcs'))
    if (!(kind instanceof PdfName && kind.value === 'Type3') || !(letters instanceof PdfDict)) continue
    const across = checkMatrix(readNumbers(font.get('FontMatrix'), resolve))
    const names = settleNames(font, letters, resolve)
    const widths = settleWidths(font, names, across, resolve)
    for (const [code, name] of names) {
      const letter = resolve(letters.get(name))
      if ((widths.get(code) ?? 0) === 0 && letter instanceof PdfStream) narrow.add(letter)
    }
  }
  return narrow
}

/** Poppler passes over where a matrix moves letters to; of letters on their side PDFium takes other widths. @returns its scale across. */
function checkMatrix(matrix: readonly number[] | undefined): number {
  const [across = 0, , , , x = 0, y = 0] = matrix ?? []
  if (x !== 0 || y !== 0) throw new Disagreement('drawn letters that are moved: some readers do not move them')
  if (across === 0) throw new Disagreement('drawn letters on their side, or without extent')
  return across
}

/** @returns the names of the letters that codes have. */
function settleNames(font: PdfDict, letters: PdfDict, resolve: Resolve): Map<number, string> {
  const encoding = resolve(font.get('Encoding'))
  const list = encoding instanceof PdfDict ? resolve(encoding.get('Differences')) : undefined
  for (const item of list instanceof PdfArray ? list : []) {
    const value = resolve(item)
    if (!(value instanceof PdfName) && !(value instanceof PdfNumber))
      throw new Disagreement('names of drawn letters that are none')
  }
  const given = readDifferences(list, resolve) ?? new Map<number, string>()
  const base = readBase(encoding instanceof PdfDict ? resolve(encoding.get('BaseEncoding')) : encoding)
  const names = new Map<number, string>()
  let isWhole = true
  for (let code = 0; code <= LAST_CODE; code++) {
    const name = given.get(code) ?? base[code] ?? ''
    if (!letters.has(name)) continue
    names.set(code, name)
    if (!given.has(code)) isWhole = false
  }
  if (isWhole) return names
  const items = [...names].flatMap(([code, name]) => [numberOf(code), nameOf(name)])
  font.set('Encoding', PdfDict.of({ Type: nameOf('Encoding'), Differences: new PdfArray(items) }))
  return names
}

function readBase(name: PdfObject | undefined): readonly string[] {
  const { StandardEncoding, MacRomanEncoding, WinAnsiEncoding } = ENCODINGS
  if (!(name instanceof PdfName)) return StandardEncoding
  return name.value === 'WinAnsiEncoding'
    ? WinAnsiEncoding
    : name.value === 'MacRomanEncoding'
      ? MacRomanEncoding
      : StandardEncoding
}

/** @returns the widths by code. */
function settleWidths(
  font: PdfDict,
  names: ReadonlyMap<number, string>,
  across: number,
  resolve: Resolve,
): Map<number, number> {
  const list = resolve(font.get('Widths'))
  const first = readNumber(font.get('FirstChar'), resolve)
  const last = readNumber(font.get('LastChar'), resolve)
  const given = new Map(
    [...(list instanceof PdfArray ? list : [])].map((item, i) => [(first ?? 0) + i, readNumber(item, resolve)]),
  )
  const widths = new Map<number, number>()
  for (let code = 0; code <= LAST_CODE; code++) {
    const width = roundWidth(given.get(code) ?? 0, across)
    if (width !== 0 || names.has(code)) widths.set(code, width)
  }
  const [low = 0, high = 0] = [widths.keys().next().value, [...widths.keys()].at(-1)]
  const isSaid = first !== undefined && first >= 0 && last !== undefined && first <= low && last >= high
  const isWhole = isSaid && last - first + 1 === given.size && last <= LAST_CODE
  if (isWhole && [...given].every(([code, width]) => width === (widths.get(code) ?? 0))) return widths
  font.set('FirstChar', numberOf(low))
  font.set('LastChar', numberOf(high))
  font.set('Widths', numbersOf(Array.from({ length: high - low + 1 }, (_, i) => widths.get(low + i) ?? 0)))
  return widths
}

/** To a thousandth of the size of the text: letters of a hundredth of that would stand on each other in PDFium alone. */
function roundWidth(width: number, across: number): number {
  const thousandths = width * across * THOUSAND
  const rounded = Math.round(thousandths)
  if (Math.abs(rounded) > THOUSAND * THOUSAND) throw new Disagreement('letters that are too wide')
  return Math.abs(thousandths - rounded) < SAME ? width : rounded / (across * THOUSAND)
}
