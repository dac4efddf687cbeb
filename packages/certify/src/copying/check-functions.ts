import { PdfArray, PdfBool, PdfDict, PdfNumber, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { isSoundCalculation } from './check-calculation.ts'
import { countComponents } from './count-components.ts'
import { isPalette } from './read-space-name.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** A table of 33 steps for each of four inks is a quarter of it. */
const MAX_FUNCTION_BYTES = 16 << 20
/** What rounding leaves. */
const SLACK = 1e-4
const ALL = [-Infinity, Infinity]
/** Units between the ends of a gradient along a line, and between circles with their radii. */
const NEAR = 1e-4
const NEAR_CIRCLES = 1e-3
/** By how much squares differ that are the same to some reader. */
const TOUCHING = 5e-4
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
    if (!isWhole) throw new Disagreement('a function without what readers need, which each makes up otherwise')
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
    if (told !== undefined && needed !== undefined && told !== needed)
      throw new Disagreement('an ink without as many figures as its colours have')
    if (!isWithin([0, 1], readDomain(ink.at(3), resolve)))
      throw new Disagreement('an ink whose function does not know all of it')
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
    const made = resolve(shading.get('Function'))
    const told = countOutputs(made, resolve, 0)
    const needed = countComponents(space, resolve)
    const isWhole =
      made !== undefined &&
      readNumbers(shading.get('Coords'), resolve)?.length === (kind === 2 ? 4 : 6) &&
      (!shading.has('Domain') || isIntervals(readNumbers(shading.get('Domain'), resolve))) &&
      !isPalette(space, resolve) &&
      hasExtent(readNumbers(shading.get('Coords'), resolve) ?? []) &&
      !(isExtended(shading, resolve) && areTouching(readNumbers(shading.get('Coords'), resolve) ?? [])) &&
      hasDomain(shading, made, resolve) &&
      (told === undefined || needed === undefined || told >= needed)
    if (!isWhole) throw new Disagreement('a gradient without what readers need, which each makes up otherwise')
  }
}

/**
 * Between one place and itself some readers paint the last colour, others nothing; so do they where both are nearly the same, and where
 * circles are nearly points.
 */
function hasExtent(coords: readonly number[]): boolean {
  const numbers = coords.map((value) => Math.fround(value))
  if (numbers.length === 4) return Math.hypot(numbers[2]! - numbers[0]!, numbers[3]! - numbers[1]!) >= NEAR
  const [x0 = 0, y0 = 0, r0 = 0, x1 = 0, y1 = 0, r1 = 0] = numbers
  const distance = Math.hypot(x1 - x0, y1 - y0)
  return r0 >= 0 && r1 >= 0 && Math.max(r0, r1) > 0 && distance + Math.abs(r1 - r0) >= NEAR_CIRCLES
}

const isTrue = (object: PdfObject | undefined): boolean => object instanceof PdfBool && object.value

const isExtended = (shading: PdfDict, resolve: Resolve): boolean => {
  const extend = resolve(shading.get('Extend'))
  return extend instanceof PdfArray && [...extend].some((item) => isTrue(resolve(item)))
}

/** Circles that touch from within: what is beyond them some readers fill (ISO 32000-2 section 8.7.4.5.4). */
function areTouching([x0 = 0, y0 = 0, r0 = 0, x1 = 0, y1 = 0, r1]: readonly number[]): boolean {
  const distance = Math.hypot(x1 - x0, y1 - y0)
  return r1 !== undefined && distance > 0 && Math.abs(distance ** 2 - (r1 - r0) ** 2) < TOUCHING
}

function hasDomain(shading: PdfDict, made: PdfObject | undefined, resolve: Resolve): boolean {
  const domain = readNumbers(shading.get('Domain'), resolve) ?? [0, 1]
  const functions = made instanceof PdfArray ? [...made] : [made]
  // of one without extent the reviewer's reader shows nothing, others what is between its ends
  if (domain[1]! - domain[0]! < SLACK) return false
  return functions.every((item) => isWithin(domain, readDomain(item, resolve)))
}

/** From where to where the first argument of a function goes; some readers calculate beyond. */
function readDomain(made: PdfObject | undefined, resolve: Resolve): number[] {
  const dict = resolve(made)
  return (dict instanceof PdfDict ? readNumbers(dict.get('Domain'), resolve) : undefined) ?? [0, 1]
}

const isWithin = ([from, to]: readonly number[], [least, most]: readonly number[]): boolean =>
  Math.min(from!, to!) >= least! - SLACK && Math.max(from!, to!) <= most! + SLACK

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
  // not all readers know what one sample alone is, or numbers of 32 bits
  if (sizes.every((count) => count < 2) || bits > 24) return false
  const samples = sizes.reduce((product, count) => product * count, range.length / 2)
  const content = decodeContent(store, dict, MAX_FUNCTION_BYTES)
  return content !== undefined && content.length >= Math.floor((samples * bits) / 8)
}

function isExponential(dict: PdfDict, resolve: Resolve): boolean {
  const exponent = readNumber(dict.get('N'), resolve)
  const [from, to] = [readEnd(dict, 'C0', [0], resolve), readEnd(dict, 'C1', [1], resolve)]
  if (exponent === undefined || exponent < 0 || from.length !== to.length || from.length === 0) return false
  // not all readers keep to a range
  const range = readNumbers(dict.get('Range'), resolve)
  return [from, to].every((end) =>
    end.every((value, i) => isWithin([value, value], range?.slice(2 * i, 2 * i + 2) ?? ALL)),
  )
}

function readEnd(dict: PdfDict, key: string, usual: number[], resolve: Resolve): number[] {
  return dict.has(key) ? (readNumbers(dict.get(key), resolve) ?? []) : usual
}

function isStitched(dict: PdfDict, resolve: Resolve): boolean {
  const parts = resolve(dict.get('Functions'))
  const encode = readNumbers(dict.get('Encode'), resolve) ?? []
  const bounds = readNumbers(dict.get('Bounds'), resolve)
  if (!(parts instanceof PdfArray) || parts.length === 0) return false
  if (bounds?.length !== parts.length - 1 || encode.length < 2 * parts.length) return false
  return [...parts].every((part, i) => isWithin(encode.slice(2 * i, 2 * i + 2), readDomain(part, resolve)))
}

function isCalculated(store: ObjectStore, dict: PdfDict): boolean {
  const [domain, range] = ['Domain', 'Range'].map((key) =>
    readNumbers(dict.get(key), (object) => resolveObject(store, object)),
  )
  const content = dict instanceof PdfStream ? decodeContent(store, dict, MAX_FUNCTION_BYTES) : undefined
  if (content === undefined || domain === undefined || range === undefined) return false
  return isSoundCalculation(Buffer.from(content).toString('latin1'), domain.length / 2, range.length / 2)
}
