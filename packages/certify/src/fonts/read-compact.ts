import { type CompactDictionary, ESCAPED, readDictionary, readList, refuseProgram } from './compact-tables.ts'
import type { Subroutines } from './compact-outline.ts'
import { EXPERT_CODES } from './expert-codes.ts'
import { ENCODINGS } from './latin-glyphs.ts'
import { STANDARD_STRINGS } from './standard-strings.ts'

/** A font in the compact form of Type 1 (Adobe technical note 5176). */
export interface CompactFont {
  /** By number of the glyph. */
  glyphs: readonly CompactGlyph[]
  /** The glyphs have numbers of a collection, not names. */
  isNumbered: boolean
  /** The glyph of each code, where the font says so. */
  codes: ReadonlyMap<number, number>
  /** It gives one glyph to each code. */
  hasPlainCodes: boolean
  /** From its units to those of a text. */
  matrix: readonly number[]
}

export interface CompactGlyph {
  /** Or its number in the collection. */
  name: string
  code: Buffer
  subroutines: Subroutines
}

const MATRIX = ESCAPED + 7
const COLLECTION = ESCAPED + 30
const BELOW = ESCAPED + 36
const SELECTION = ESCAPED + 37
const KIND = ESCAPED + 6
const CHARSET = 15
const ENCODING = 16
const OUTLINES = 17
const SECRET = 18
const OWN_SUBROUTINES = 19
const PLAIN_MATRIX = [0.001, 0, 0, 0.001, 0, 0]
/** The first glyphs of a font that has no list of names of its own. */
const SHARED_GLYPHS = 229

/** @throws Refusal `unreadable` where readers would not read it alike. */
export function readCompact(font: Buffer): CompactFont {
  if (font[0] !== 1 || (font[2] ?? 0) < 4 || (font[3] ?? 0) < 1 || font[3]! > 4)
    refuseProgram('another head than it must have')
  const names = readList(font, font[2]!)
  const tops = readList(font, names.end)
  const strings = readList(font, tops.end)
  const { items: shared } = readList(font, strings.end)
  if (tops.items.length !== 1) refuseProgram('several fonts in it')
  const top = readDictionary(tops.items[0]!)
  const isNumbered = top.has(COLLECTION)
  if (isNumbered && [...top.keys()][0] !== COLLECTION) refuseProgram('a collection that is named too late')
  if ((top.get(KIND)?.[0] ?? 2) !== 2) refuseProgram('outlines of another kind')
  const { items: outlines } = readList(font, readPlace(top, OUTLINES) ?? -1)
  if (outlines.length === 0) refuseProgram('no glyphs')
  const readName = (number: number): string =>
    STANDARD_STRINGS[number] ??
    strings.items[number - STANDARD_STRINGS.length]?.toString('latin1') ??
    refuseProgram('a name that is missing')
  const numbers = readCharset(font, readPlace(top, CHARSET) ?? 0, outlines.length, isNumbered)
  const { matrix, subroutines } = isNumbered
    ? readBelow(font, top, outlines.length, shared)
    : readPlain(font, top, shared)
  return {
    glyphs: outlines.map((code, i) => ({
      name: isNumbered ? String(numbers[i]) : readName(numbers[i]!),
      code,
      subroutines: subroutines(i),
    })),
    isNumbered,
    ...(isNumbered ? NO_CODES : readCodes(font, readPlace(top, ENCODING) ?? 0, numbers, readName)),
    matrix,
  }
}

function readPlace(dictionary: CompactDictionary, operator: number): number | undefined {
  const operands = dictionary.get(operator)
  if (operands === undefined) return undefined
  return operands.length === 1 && Number.isInteger(operands[0]) ? operands[0]! : refuseProgram('a place that is none')
}

const byteAt = (font: Buffer, at: number): number => font[at] ?? refuseProgram('tables that are cut off')
const wordAt = (font: Buffer, at: number): number => (byteAt(font, at) << 8) | byteAt(font, at + 1)

/** Of each glyph the number of its name, or the one that it has in the collection. */
function readCharset(font: Buffer, place: number, count: number, isNumbered: boolean): number[] {
  if (place <= 2) {
    if (place !== 0 || isNumbered || count > SHARED_GLYPHS) refuseProgram('names of glyphs that are known by heart')
    return Array.from({ length: count }, (_, i) => i)
  }
  const numbers = [0]
  const format = byteAt(font, place)
  if (format > 2) refuseProgram('a list of glyphs of a kind that there is not')
  let at = place + 1
  while (numbers.length < count) {
    const first = wordAt(font, at)
    const more = format === 0 ? 0 : format === 1 ? byteAt(font, at + 2) : wordAt(font, at + 2)
    at += 2 + format
    for (let i = 0; i <= more; i++) numbers.push(first + i)
  }
  if (numbers.length > count) numbers.length = count
  return numbers
}

const STANDARD_CODES = new Map(
  ENCODINGS.StandardEncoding.flatMap((name, code) =>
    name === '' ? [] : [[code, STANDARD_STRINGS.indexOf(name)] as const],
  ),
)

type Codes = Pick<CompactFont, 'codes' | 'hasPlainCodes'>
const NO_CODES: Codes = { codes: new Map(), hasPlainCodes: true }

function readCodes(
  font: Buffer,
  place: number,
  numbers: readonly number[],
  readName: (number: number) => string,
): Codes {
  const codes = new Map<number, number>()
  let hasPlainCodes = true
  if (place <= 1) {
    const places = new Map(numbers.map((number, glyph) => [number, glyph]))
    for (let code = 0; code <= 255; code++) {
      const glyph = places.get((place === 1 ? EXPERT_CODES.get(code) : STANDARD_CODES.get(code)) ?? -1)
      if (glyph !== undefined) codes.set(code, glyph)
    }
    return { codes, hasPlainCodes }
  }
  const format = byteAt(font, place)
  if ((format & 0x7f) > 1) refuseProgram('an encoding of a kind that there is not')
  const count = byteAt(font, place + 1)
  let at = place + 2
  const name = (code: number, glyph: number): void => {
    if (glyph >= numbers.length || code > 255) refuseProgram('codes of glyphs that are not there')
    // of two the last counts for the reviewer's reader
    if ((codes.get(code) ?? glyph) !== glyph) hasPlainCodes = false
    codes.set(code, glyph)
  }
  for (let i = 0, glyph = 1; i < count; i++) {
    const first = byteAt(font, at++)
    const more = (format & 0x7f) === 0 ? 0 : byteAt(font, at++)
    for (let j = 0; j <= more; j++) name(first + j, glyph++)
  }
  if ((format & 0x80) === 0) return { codes, hasPlainCodes }
  for (let i = byteAt(font, at++); i > 0; i--, at += 3) {
    const wanted = readName(wordAt(font, at + 1))
    name(
      byteAt(font, at),
      numbers.findIndex((number) => readName(number) === wanted),
    )
  }
  return { codes, hasPlainCodes }
}

type Below = Pick<CompactFont, 'matrix'> & { subroutines: (glyph: number) => Subroutines }

function readPlain(font: Buffer, top: CompactDictionary, shared: readonly Buffer[]): Below {
  const subroutines = { own: readSubroutines(font, top), shared }
  return { matrix: top.get(MATRIX) ?? PLAIN_MATRIX, subroutines: () => subroutines }
}

function readSubroutines(font: Buffer, dictionary: CompactDictionary): readonly Buffer[] {
  const entry = dictionary.get(SECRET)
  if (entry === undefined) return []
  const [length = -1, place = -1] = entry
  if (entry.length !== 2 || length < 0 || place < 0 || place + length > font.length)
    refuseProgram('a part outside of it')
  const own = readPlace(readDictionary(font.subarray(place, place + length)), OWN_SUBROUTINES)
  if (own === 0) refuseProgram('subroutines without a place')
  return own === undefined ? [] : readList(font, place + own).items
}

function readBelow(font: Buffer, top: CompactDictionary, count: number, shared: readonly Buffer[]): Below {
  const fonts = readList(font, readPlace(top, BELOW) ?? -1).items.map(readDictionary)
  const all = fonts.map((below) => ({ own: readSubroutines(font, below), shared }))
  const select = readSelection(font, readPlace(top, SELECTION) ?? -1, count)
  if (select.some((index) => index >= all.length)) refuseProgram('parts of a collection that are not there')
  const matrices = fonts.map((below) => below.get(MATRIX))
  return { matrix: combineMatrices(top.get(MATRIX), matrices), subroutines: (glyph) => all[select[glyph]!]! }
}

/** Readers put the two together in ways of their own, unless one of them says nothing. */
function combineMatrices(
  own: readonly number[] | undefined,
  below: readonly (readonly number[] | undefined)[],
): readonly number[] {
  const first = below[0]
  if (below.some((matrix) => matrix?.join() !== first?.join())) refuseProgram('parts of different sizes')
  if (first === undefined) return own ?? PLAIN_MATRIX
  if (own === undefined || own.join() === UNITS) return first
  return first.join() === UNITS ? own : refuseProgram('sizes of parts that are multiplied')
}

const UNITS = '1,0,0,1,0,0'

/** Which part of a collection each glyph is of. */
function readSelection(font: Buffer, place: number, count: number): number[] {
  const format = byteAt(font, place)
  if (format === 0) return Array.from({ length: count }, (_, i) => byteAt(font, place + 1 + i))
  if (format !== 3) refuseProgram('parts of a kind that there is not')
  const ranges = wordAt(font, place + 1)
  const select: number[] = []
  for (let i = 0; i < ranges; i++) {
    const at = place + 3 + 3 * i
    if (wordAt(font, at) !== select.length) refuseProgram('parts that are not in order')
    const next = wordAt(font, at + 3)
    if (next > count) refuseProgram('parts with more glyphs than there are')
    while (select.length < next) select.push(byteAt(font, at + 2))
  }
  return select.length === count ? select : refuseProgram('parts with fewer glyphs than there are')
}
