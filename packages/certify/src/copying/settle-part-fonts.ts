import { PdfArray, type PdfDict, PdfStream } from '@libpdf/core'
import { refuseProgram } from '../fonts/compact-tables.ts'
import {
  makeStream,
  numberOf,
  numbersOf,
  readNumbers,
  type ObjectStore,
  type PdfObject,
  readNumber,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** Two for each number that a text can hold. */
const MAP_BYTES = 2 << 16
const LAST_NUMBER = 0xffff
/** Numbers beyond that are others to some readers. */
const FARTHEST = 32_767
/** Each glyph may be named again. */
const MOST_NAMED = 1 << 20

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Makes whole what a font below a composite one says of its glyphs: behind the end of a map from numbers to glyphs some readers take the
 * number itself, others nothing; of two widths of a glyph some take the first, others the last.
 * @param parts Fonts that composite ones name.
 * @throws Refusal `unreadable` where there is no map in what should be one.
 */
export function settlePartFonts(store: ObjectStore, parts: readonly PdfDict[]): void {
  const settled = new Map<PdfStream, PdfObject>()
  for (const part of parts) {
    const map = resolveObject(store, part.get('CIDToGIDMap'))
    if (map instanceof PdfStream) {
      const ref = settled.get(map) ?? registerObject(store, completeMap(store, map))
      settled.set(map, ref)
      part.set('CIDToGIDMap', ref)
    }
    const resolve: Resolve = (object) => resolveObject(store, object)
    settleUsualWidth(part, resolve)
    settleWidths(part, resolve)
    settleHeights(part, resolve)
  }
}

function completeMap(store: ObjectStore, map: PdfStream): PdfStream {
  const content = decodeContent(store, map, 2 * MAP_BYTES)
  if (content === undefined || content.length < 2) refuseProgram('a map to its glyphs that is empty')
  const whole = Buffer.alloc(MAP_BYTES)
  whole.set(content.subarray(0, Math.min(MAP_BYTES, content.length & ~1)))
  return makeStream({}, whole)
}

/** ISO 32000-2 section 9.7.4.3. Of several the last counts. PDFium cuts off fractions, which adds up along a text. */
function settleWidths(part: PdfDict, resolve: Resolve): void {
  const list = resolve(part.get('W'))
  if (!(list instanceof PdfArray)) return
  const widths = new Map<number, number>()
  let isAsItStands = true
  let named = 0
  const note = (number: number, width: number): void => {
    if (++named > MOST_NAMED) refuseProgram('widths that are given over and over')
    const rounded = Math.round(width)
    if ((widths.get(number) ?? width) !== rounded) isAsItStands = false
    widths.set(number, rounded)
  }
  for (let at = 0; at + 1 < list.length;) {
    const first = readNumber(list.at(at), resolve)
    const next = resolve(list.at(at + 1))
    if (first === undefined || !Number.isInteger(first) || first < 0) refuseProgram('widths that are none')
    if (next instanceof PdfArray) {
      for (const [i, width] of [...next].entries()) note(first + i, readWidth(width, resolve))
      at += 2
      continue
    }
    const last = Math.min(LAST_NUMBER, readNumber(list.at(at + 1), resolve) ?? -1)
    const width = readWidth(list.at(at + 2), resolve)
    for (let number = first; number <= last; number++) note(number, width)
    at += 3
  }
  if (!isAsItStands) part.set('W', listWidths(widths))
}

function readWidth(object: PdfObject | undefined, resolve: Resolve): number {
  const width = readNumber(object, resolve)
  if (width === undefined || Math.abs(width) > FARTHEST) refuseProgram('widths that are none')
  return width
}

/** Numbers that follow each other share a list. */
function listWidths(widths: ReadonlyMap<number, number>): PdfArray {
  const list = new PdfArray()
  let run = new PdfArray()
  let next = -1
  for (const [number, width] of [...widths].toSorted(([one], [other]) => one - other)) {
    if (number !== next) {
      run = new PdfArray()
      list.push(numberOf(number))
      list.push(run)
    }
    run.push(numberOf(width))
    next = number + 1
  }
  return list
}

/** What is no number counts as a thousand or as nothing, and Poppler knows whole ones. */
function settleUsualWidth(part: PdfDict, resolve: Resolve): void {
  if (!part.has('DW')) return
  const width = readNumber(part.get('DW'), resolve)
  if (width === undefined) part.delete('DW')
  else if (!Number.isInteger(width)) part.set('DW', numberOf(Math.round(width)))
}

/** Of text that runs downwards (ISO 32000-2 section 9.7.4.3): of what is none or incomplete some take nothing, some what is usual. */
function settleHeights(part: PdfDict, resolve: Resolve): void {
  if (part.has('DW2')) {
    const usual = readNumbers(part.get('DW2'), resolve)
    if (usual?.length !== 2 || usual.some((value) => Math.abs(value) > FARTHEST)) refuseProgram('heights that are none')
    part.set('DW2', numbersOf(usual))
  }
  const list = resolve(part.get('W2'))
  if (!(list instanceof PdfArray)) return
  const heights = new Map<number, string>()
  const note = (number: number, values: readonly (number | undefined)[]): void => {
    const text = values.join(' ')
    if (values.length !== 3 || values.some((value) => value === undefined || Math.abs(value) > FARTHEST))
      refuseProgram('heights that are none')
    if (heights.size > LAST_NUMBER || (heights.get(number) ?? text) !== text)
      refuseProgram('heights that are given twice')
    heights.set(number, text)
  }
  for (let at = 0; at < list.length;) {
    const first = readNumber(list.at(at), resolve)
    const next = resolve(list.at(at + 1))
    if (first === undefined || !Number.isInteger(first)) refuseProgram('heights that are none')
    if (next instanceof PdfArray) {
      const values = [...next].map((value) => readNumber(value, resolve))
      for (let i = 0; i < values.length; i += 3) note(first + i / 3, values.slice(i, i + 3))
      at += 2
    } else {
      const last = Math.min(LAST_NUMBER, readNumber(list.at(at + 1), resolve) ?? -1)
      const values = [2, 3, 4].map((i) => readNumber(list.at(at + i), resolve))
      for (let number = first; number <= last; number++) note(number, values)
      at += 5
    }
  }
}
