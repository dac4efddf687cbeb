import { PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import type { ColourFunction } from './colour-function.ts'
import { compileCalculation } from './compile-calculation.ts'
import { readSampled } from './read-sampled.ts'

type Calculate = ColourFunction['evaluate']
type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

const MAX_TEXT_BYTES = 1 << 20
/** As deep as functions are stitched from others. */
const MOST_DEEP = 8
/** More are passed over. */
const MOST_TURNS = 10_000

/** @returns undefined for what is none, or not whole. */
export function readFunction(store: ObjectStore, made: PdfObject | undefined, level = 0): ColourFunction | undefined {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const dict = resolve(made)
  if (level > MOST_DEEP) return undefined
  if (dict instanceof PdfArray) return joinFunctions([...dict].map((part) => readFunction(store, part, level + 1)))
  if (!(dict instanceof PdfDict)) return undefined
  const [domain, range] = [readNumbers(dict.get('Domain'), resolve), readNumbers(dict.get('Range'), resolve)]
  const read = domain && readCalculation(store, dict, domain, level)
  if (read === undefined) return undefined
  const [least = 0, most = 1] = domain ?? []
  return {
    evaluate: (inputs) => clip(read.evaluate(clip(inputs, domain)), range),
    turns: read.turns.filter((turn) => turn >= least && turn <= most).slice(0, MOST_TURNS),
  }
}

function joinFunctions(parts: readonly (ColourFunction | undefined)[]): ColourFunction | undefined {
  if (parts.some((part) => part === undefined)) return undefined
  return {
    evaluate: (inputs) => parts.map((part) => part!.evaluate(inputs)[0] ?? 0),
    turns: parts.flatMap((part) => part!.turns),
  }
}

function readCalculation(
  store: ObjectStore,
  dict: PdfDict,
  domain: readonly number[],
  level: number,
): ColourFunction | undefined {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const kind = readNumber(dict.get('FunctionType'), resolve)
  if (kind === 0) return readSampled(store, dict, domain)
  if (kind === 2) return readPower(dict, resolve)
  if (kind === 3) return readStitched(store, dict, domain, level)
  const content = kind === 4 && dict instanceof PdfStream ? decodeContent(store, dict, MAX_TEXT_BYTES) : undefined
  const evaluate = content && compileCalculation(Buffer.from(content).toString('latin1'))
  return evaluate && { evaluate, turns: [] }
}

function readPower(dict: PdfDict, resolve: Resolve): ColourFunction | undefined {
  const from = readNumbers(dict.get('C0'), resolve) ?? [0]
  const to = readNumbers(dict.get('C1'), resolve) ?? [1]
  const exponent = readNumber(dict.get('N'), resolve)
  if (exponent === undefined) return undefined
  const evaluate: Calculate = ([input = 0]) => {
    const power = exponent === 1 ? input : input ** exponent
    return from.map((value, i) => value + power * ((to[i] ?? value) - value))
  }
  return { evaluate, turns: [] }
}

function readStitched(
  store: ObjectStore,
  dict: PdfDict,
  [first = 0, last = 1]: readonly number[],
  level: number,
): ColourFunction | undefined {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const list = resolve(dict.get('Functions'))
  const [bounds, encode] = ['Bounds', 'Encode'].map((key) => readNumbers(dict.get(key), resolve) ?? [])
  const parts = list instanceof PdfArray ? [...list].map((part) => readFunction(store, part, level + 1)) : []
  if (bounds === undefined || encode === undefined || parts.length === 0) return undefined
  if (bounds.length !== parts.length - 1 || parts.some((part) => part === undefined)) return undefined
  const ends = [first, ...bounds, last]
  const map = (value: number, [a, b]: readonly number[], [c, d]: readonly number[]): number =>
    a === b ? c! : c! + ((value - a!) * (d! - c!)) / (b! - a!)
  const evaluate: Calculate = ([input = 0]) => {
    const found = bounds.findIndex((bound) => input < bound)
    const i = found === -1 ? parts.length - 1 : found
    return parts[i]!.evaluate([map(input, ends.slice(i, i + 2), encode.slice(2 * i, 2 * i + 2))])
  }
  const turns = parts.flatMap((part, i) => {
    const [own, asked] = [ends.slice(i, i + 2), encode.slice(2 * i, 2 * i + 2)]
    const inner = part!.turns.map((turn) => map(turn, asked, own))
    return inner.filter((turn) => turn > own[0]! && turn < own[1]!)
  })
  return { evaluate, turns: [...bounds, ...turns] }
}

function clip(values: readonly number[], range: readonly number[] | undefined): readonly number[] {
  if (range === undefined) return values
  const clipped: number[] = []
  for (let i = 0; i < values.length && 2 * i < range.length; i++) {
    const [value, least, most] = [values[i]!, range[2 * i]!, range[2 * i + 1]!]
    clipped.push(value < least ? least : value > most ? most : value)
  }
  return clipped
}
