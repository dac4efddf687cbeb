import { Disagreement } from '../errors.ts'

/** A map from codes of a text to characters of a composite font, by their numbers (ISO 32000-2 section 9.7.5). */
export interface CodeMap {
  /** How many bytes a code has, 1 or 2, by its first. */
  lengths: Uint8Array
  /** By code, -1 where the map has nothing. A short code is the same as a long one of that number. */
  characters: Int32Array
  isVertical: boolean
  /** A map that this one adds to, by its name. */
  base: string | undefined
}

/** What the ranges of a map may name together, far more than there are codes: each may be named again. */
const MOST_NAMED = 1 << 22
const MOST_CHARACTERS = 0xffff

const WHITE = String.raw`[\0\t\n\f\r ]`
/** Comments, strings, names, codes, and words; brackets stand alone. */
const TOKENS = new RegExp(
  String.raw`%[^\r\n]*|\((?:\\[^]|[^\\()])*\)|<<|>>|<[^<>]*>|/[^\0\t\n\f\r ()<>[\]{}/%]*|[[\]{}]|[^\0\t\n\f\r ()<>[\]{}/%]+|[^]`,
  'g',
)
const BLANK = new RegExp(`^(?:${WHITE}|%)`)
/** What readers of a map for codes take otherwise: characters in the place of numbers, and codes without any. */
const REFUSED_WORDS = new Set(['beginbfchar', 'beginbfrange', 'beginrearrangedfont', 'usefont', 'beginusematrix'])

/** @throws Refusal `unreadable` where readers would divide a text into other codes, or choose other characters for them. */
export function readCodeMap(text: string): CodeMap {
  const tokens = [...text.matchAll(TOKENS)].map(([token]) => token).filter((token) => !BLANK.test(token))
  const spaces: Range[] = []
  const ranges: Range[] = []
  let isVertical = false
  let base: string | undefined
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!
    const next = (): string => tokens[(at += 1)] ?? refuse('without an end')
    if (REFUSED_WORDS.has(token)) refuse('with characters in the place of numbers')
    if (token === 'usecmap') base = tokens[at - 1]?.replace(/^\//, '') ?? ''
    if (token === '/WMode') isVertical = tokens[at + 1] === '1'
    if (token === 'begincodespacerange')
      for (let low = next(); low !== 'endcodespacerange'; low = next()) spaces.push(makeRange(low, next(), '0'))
    if (token === 'begincidchar')
      for (let code = next(); code !== 'endcidchar'; code = next()) ranges.push(makeRange(code, code, next()))
    if (token === 'begincidrange')
      for (let low = next(); low !== 'endcidrange'; low = next()) ranges.push(makeRange(low, next(), next()))
  }
  const lengths = readLengths(spaces)
  return { lengths, characters: nameCharacters(ranges, lengths), isVertical, base }
}

interface Range {
  /** Bytes of its codes. */
  length: number
  low: number
  high: number
  /** The character of the lowest. */
  first: number
}

/** How long a code is that begins with a byte of which nothing is said, each reader decides: as long as the longest. */
function readLengths(spaces: readonly Range[]): Uint8Array {
  const lengths = new Uint8Array(256)
  for (const { length, low, high } of spaces) {
    const shift = length === 1 ? 0 : 8
    for (let byte = low >> shift; byte <= high >> shift; byte++) {
      if (lengths[byte] !== 0 && lengths[byte] !== length) refuse('whose codes can be divided in two ways')
      lengths[byte] = length
    }
  }
  const longest = Math.max(...lengths)
  if (longest === 0) refuse('that does not say how long they are')
  return lengths.map((length) => length || longest)
}

/** Of a number that is named twice the last counts. Some readers take a short code and the long one of that number for the same. */
function nameCharacters(ranges: readonly Range[], lengths: Uint8Array): Int32Array {
  const characters = new Int32Array(65536).fill(-1)
  let named = 0
  for (const { length, low, high, first } of ranges) {
    const shift = length === 1 ? 0 : 8
    if (lengths[low >> shift] !== length || lengths[high >> shift] !== length)
      refuse('with codes of another length than it says')
    named += high - low + 1
    if (named > MOST_NAMED) refuse('that names its codes over and over')
    for (let code = low; code <= high; code++) characters[code] = first + code - low
  }
  return characters
}

function makeRange(lowest: string, highest: string, number: string): Range {
  const [low, high] = [readDigits(lowest), readDigits(highest)]
  const range = {
    length: low.length / 2,
    low: Number.parseInt(low, 16),
    high: Number.parseInt(high, 16),
    first: /^\d{1,5}$/.test(number) ? Number(number) : Number.NaN,
  }
  const isRange =
    low.length === high.length && range.low <= range.high && range.first + range.high - range.low <= MOST_CHARACTERS
  return (range.length === 1 || range.length === 2) && isRange ? range : refuse('with ranges that are none')
}

function readDigits(code: string): string {
  const digits = code.replaceAll(/[\0\t\n\f\r ]/g, '')
  return /^<[\da-f]+>$/i.test(digits) ? digits.slice(1, -1) : ''
}

function refuse(words: string): never {
  throw new Disagreement(`a map of codes ${words}: readers choose other glyphs by it`)
}
