import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { countComponents } from './count-components.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** A table of 33 steps for each of four inks is a quarter of it. */
const MAX_FUNCTION_BYTES = 16 << 20
/** ISO 32000-2 table 42, with its constants. */
const WORDS = new Set(
  (
    'abs add atan ceiling cos cvi cvr div exp floor idiv ln log mod mul neg round sin sqrt sub truncate and bitshift eq false ge gt ' +
    'le lt ne not or true xor if ifelse copy dup exch index pop roll'
  ).split(' '),
)
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

/**
 * Looks at functions of colours for what must be there: where it is not, one reader paints nothing, another black, another goes on
 * with what it makes up.
 * @throws Refusal `unreadable`.
 */
export function checkFunctions(store: ObjectStore, functions: readonly PdfDict[]): void {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  for (const dict of functions) {
    const kind = readNumber(dict.get('FunctionType'), resolve)
    const isWhole =
      isIntervals(readNumbers(dict.get('Domain'), resolve)) &&
      ((kind === 0 && isSampled(store, dict)) ||
        (kind === 2 && isExponential(dict, resolve)) ||
        (kind === 3 && isStitched(dict, resolve)) ||
        (kind === 4 && isCalculated(store, dict)))
    if (!isWhole) throw new Refusal('unreadable', 'a function without what readers need, which each makes up otherwise')
  }
}

/**
 * Looks at the functions of inks: one that tells fewer figures than the colours that stand for the ink have, readers make up the rest.
 * @throws Refusal `unreadable`.
 */
export function checkTints(inks: readonly PdfArray[], resolve: Resolve): void {
  for (const ink of inks) {
    const told = countOutputs(resolve(ink.at(3)), resolve, 0)
    const needed = countComponents(resolve(ink.at(2)), resolve)
    if (told !== undefined && needed !== undefined && told < needed)
      throw new Refusal('unreadable', 'an ink without as many figures as its colours have')
  }
}

/**
 * Looks at gradients along a line or between circles (ISO 32000-2 tables 79 and 80).
 * @throws Refusal `unreadable`.
 */
export function checkShadings(shadings: readonly PdfDict[], resolve: Resolve): void {
  for (const shading of shadings) {
    const kind = readNumber(shading.get('ShadingType'), resolve)
    if (kind !== 2 && kind !== 3) continue
    const space = resolve(shading.get('ColorSpace'))
    const name = space instanceof PdfArray ? resolve(space.at(0)) : space
    const made = resolve(shading.get('Function'))
    const told = countOutputs(made, resolve, 0)
    const needed = countComponents(space, resolve)
    const isWhole =
      made !== undefined &&
      readNumbers(shading.get('Coords'), resolve)?.length === (kind === 2 ? 4 : 6) &&
      (!shading.has('Domain') || isIntervals(readNumbers(shading.get('Domain'), resolve))) &&
      !(name instanceof PdfName && (name.value === 'Indexed' || name.value === 'I')) &&
      (told === undefined || needed === undefined || told >= needed)
    if (!isWhole) throw new Refusal('unreadable', 'a gradient without what readers need, which each makes up otherwise')
  }
}

/** @returns undefined where it cannot be told. */
function countOutputs(made: PdfObject | undefined, resolve: Resolve, level: number): number | undefined {
  if (made instanceof PdfArray) return made.length
  if (!(made instanceof PdfDict) || level > 8) return undefined
  const range = readNumbers(made.get('Range'), resolve)
  if (range !== undefined) return range.length / 2
  const kind = readNumber(made.get('FunctionType'), resolve)
  if (kind === 2) return made.has('C0') ? readNumbers(made.get('C0'), resolve)?.length : 1
  const parts = kind === 3 ? resolve(made.get('Functions')) : undefined
  return parts instanceof PdfArray ? countOutputs(resolve(parts.at(0)), resolve, level + 1) : undefined
}

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

function isIntervals(numbers: readonly number[] | undefined): numbers is number[] {
  if (numbers === undefined || numbers.length === 0 || numbers.length % 2 !== 0) return false
  return numbers.every((number, i) => i % 2 === 0 || numbers[i - 1]! <= number)
}

function isSampled(store: ObjectStore, dict: PdfDict): boolean {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const range = readNumbers(dict.get('Range'), resolve)
  const size = resolve(dict.get('Size'))
  // one number alone is taken for a list of one by all readers
  const sizes = size instanceof PdfNumber ? [size.value] : readNumbers(size, resolve)
  const bits = readNumber(dict.get('BitsPerSample'), resolve) ?? Number.NaN
  if (!(dict instanceof PdfStream) || range === undefined || sizes === undefined) return false
  const samples = sizes.reduce((product, count) => product * count, range.length / 2)
  const content = decodeContent(store, dict, MAX_FUNCTION_BYTES)
  return content !== undefined && content.length >= Math.floor((samples * bits) / 8)
}

function isExponential(dict: PdfDict, resolve: Resolve): boolean {
  const exponent = readNumber(dict.get('N'), resolve)
  const [from, to] = ['C0', 'C1'].map((key) => (dict.has(key) ? (readNumbers(dict.get(key), resolve)?.length ?? 0) : 1))
  return exponent !== undefined && exponent >= 0 && from === to && from !== 0
}

function isStitched(dict: PdfDict, resolve: Resolve): boolean {
  const parts = resolve(dict.get('Functions'))
  const count = parts instanceof PdfArray ? parts.length : 0
  const [bounds, encode] = ['Bounds', 'Encode'].map((key) => readNumbers(dict.get(key), resolve)?.length)
  return count > 0 && bounds === count - 1 && (encode ?? 0) >= 2 * count
}

function isCalculated(store: ObjectStore, dict: PdfDict): boolean {
  const range = readNumbers(dict.get('Range'), (object) => resolveObject(store, object))
  const content = dict instanceof PdfStream ? decodeContent(store, dict, MAX_FUNCTION_BYTES) : undefined
  if (content === undefined || range === undefined) return false
  const text = Buffer.from(content)
    .toString('latin1')
    .replaceAll(/%[^\r\n]*/g, ' ')
  const words = text.split(/[\0\t\n\f\r {}]+/).filter(Boolean)
  return words.every((word) => WORDS.has(word) || NUMBER.test(word))
}
