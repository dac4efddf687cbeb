import { PdfDict, PdfNumber, PdfStream } from '@libpdf/core'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import type { ColourFunction } from './colour-function.ts'
import { readBits } from './read-bits.ts'

const MAX_SAMPLE_BYTES = 16 << 20
/** Between so many inputs nobody goes by a table. */
const MOST_INPUTS = 8
/** Samples that are kept once they are read. */
const MOST_KNOWN = 1 << 20

/** A table of colours, between whose samples is gone in straight lines (ISO 32000-2 section 7.10.2). */
export function readSampled(store: ObjectStore, dict: PdfDict, domain: readonly number[]): ColourFunction | undefined {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const [size, range] = [resolve(dict.get('Size')), readNumbers(dict.get('Range'), resolve)]
  const sizes = size instanceof PdfNumber ? [size.value] : readNumbers(size, resolve)
  const bits = readNumber(dict.get('BitsPerSample'), resolve)
  const data = dict instanceof PdfStream ? decodeContent(store, dict, MAX_SAMPLE_BYTES) : undefined
  if (data === undefined || sizes === undefined || range === undefined || bits === undefined) return undefined
  if (sizes.length > MOST_INPUTS || sizes.length !== domain.length / 2) return undefined
  const encode = readNumbers(dict.get('Encode'), resolve) ?? sizes.flatMap((count) => [0, count - 1])
  const decode = readNumbers(dict.get('Decode'), resolve) ?? range
  const outputs = range.length / 2
  const placeOf = (input: number, i: number): number => {
    const [from, to] = [domain[2 * i]!, domain[2 * i + 1]!]
    const [first, last] = [encode[2 * i] ?? 0, encode[2 * i + 1] ?? 0]
    const place = from === to ? first : first + ((input - from) * (last - first)) / (to - from)
    return Math.max(0, Math.min(sizes[i]! - 1, place))
  }
  const known = new Float64Array(
    Math.min(
      MOST_KNOWN,
      sizes.reduce((product, count) => product * count, outputs),
    ),
  )
  known.fill(Number.NaN)
  const take = (place: number, output: number): number => {
    const at = place * outputs + output
    const found = known[at]
    if (found !== undefined && !Number.isNaN(found)) return found
    const [least, most] = [decode[2 * output] ?? 0, decode[2 * output + 1] ?? 1]
    const value = least + (readBits(data, at * bits, bits) / (2 ** bits - 1)) * (most - least)
    known[at] = value
    return value
  }
  const corners = 2 ** sizes.length
  const evaluate = (inputs: readonly number[]): number[] => {
    const colour = Array.from({ length: outputs }, () => 0)
    // of all corners around the place, each by how near it is
    for (let corner = 0; corner < corners; corner++) {
      let [share, at, stride] = [1, 0, 1]
      for (let i = 0; i < sizes.length; i++) {
        const place = placeOf(inputs[i]!, i)
        const low = Math.min(Math.floor(place), Math.max(0, sizes[i]! - 2))
        const isHigh = ((corner >> i) & 1) === 1
        share *= isHigh ? place - low : 1 - (place - low)
        at += stride * Math.min(isHigh ? low + 1 : low, sizes[i]! - 1)
        stride *= sizes[i]!
      }
      if (share > 0) for (let output = 0; output < outputs; output++) colour[output]! += share * take(at, output)
    }
    return colour
  }
  return { evaluate, turns: sizes.length === 1 ? listTurns(sizes[0]!, encode, domain) : [] }
}

function listTurns(
  count: number,
  [first = 0, last = 0]: readonly number[],
  [from = 0, to = 1]: readonly number[],
): number[] {
  if (first === last) return []
  return Array.from({ length: count }, (_, i) => from + ((i - first) * (to - from)) / (last - first))
}
