import { CODE_BITS, type Codes, HORIZONTAL, MAKE_UP, PASS, ROW_MODES, RUNS, SHIFTS } from './fax-codes.ts'

/** Zeros before the one bit that ends a row (ITU-T T.4 section 4.1.2). */
const END_ZEROS = 11
const FAULT = -1

export interface FaxKind {
  /** Below zero each row differs from the one above, at zero none does, else some do (ISO 32000-2 table 11). */
  k: number
  columns: number
  rows: number
  /** Rows begin with a byte. */
  isAligned: boolean
}

interface Reading extends FaxKind {
  data: Uint8Array
  /** In bits. */
  at: number
  /** Whether rows have marks of their end, as far as the first tells. */
  hasMarks: boolean | undefined
}

/**
 * Follows the codes of a fax, row by row.
 * @returns whether all rows are there, and without a fault: at one, readers go on in their own ways.
 */
export function isSoundFax(data: Uint8Array, kind: FaxKind): boolean {
  const reading: Reading = { ...kind, data, at: 0, hasMarks: undefined }
  let above: number[] = []
  for (let row = 0; row < kind.rows; row++) {
    const isFlat = beginRow(reading)
    const changes = isFlat === undefined ? undefined : isFlat ? readRuns(reading) : readDifferences(reading, above)
    if (changes === undefined) return false
    above = changes
  }
  return true
}

/** @returns whether the row stands by itself; undefined where none can begin. */
function beginRow(reading: Reading): boolean | undefined {
  const { k } = reading
  if (reading.isAligned) reading.at = (reading.at + 7) & ~7
  if (k < 0) return false
  const hasMark = skipMark(reading)
  reading.hasMarks ??= hasMark
  // of both at once readers make different rows
  if (hasMark !== reading.hasMarks || (hasMark && reading.isAligned)) return undefined
  if (k === 0) return true
  if (!hasMark) return undefined
  return readBits(reading, 1) === 1
}

function skipMark(reading: Reading): boolean {
  let zeros = 0
  const { at } = reading
  while (reading.at < reading.data.length * 8 && readBits(reading, 1) === 0) zeros++
  if (zeros >= END_ZEROS) return true
  reading.at = at
  return false
}

/** @returns places where the colour changes; undefined for a fault. */
function readRuns(reading: Reading): number[] | undefined {
  const changes: number[] = []
  let place = 0
  for (let colour = 0; place < reading.columns; colour ^= 1) {
    const length = readRun(reading, colour)
    if (length === FAULT) return undefined
    place += length
    changes.push(place)
  }
  return place === reading.columns ? changes : undefined
}

/** @param above Places where the colour changes in the row above. */
function readDifferences(reading: Reading, above: readonly number[]): number[] | undefined {
  const { columns } = reading
  const changes: number[] = []
  let place = -1
  let next = 0
  for (let colour = 0; place < columns;) {
    // the first change above that lies behind this place and is to the other colour
    while (next > 0 && above[next - 1]! > place) next--
    while (next < above.length && (above[next]! <= place || next % 2 !== colour)) next++
    const mode = readCode(reading, ROW_MODES)
    if (mode === FAULT) return undefined
    if (mode === PASS) place = above[next + 1] ?? columns
    else if (mode === HORIZONTAL) {
      const [one, other] = [readRun(reading, colour), readRun(reading, colour ^ 1)]
      if (one === FAULT || other === FAULT) return undefined
      const begin = Math.max(place, 0)
      place = begin + one + other
      changes.push(begin + one, place)
    } else {
      const change = (above[next] ?? columns) + SHIFTS[mode]!
      if (change < Math.max(place, 0)) return undefined
      changes.push(change)
      place = change
      colour ^= 1
    }
    if (place > columns) return undefined
  }
  return changes
}

function readRun(reading: Reading, colour: number): number {
  const codes = RUNS[colour as 0 | 1]
  let length = 0
  for (;;) {
    const part = readCode(reading, codes)
    if (part === FAULT) return FAULT
    length += part
    if (part < MAKE_UP) return length
  }
}

function readCode(reading: Reading, codes: Codes): number {
  const found = codes[peek(reading)]!
  reading.at += found & 15
  return found === 0 || reading.at > reading.data.length * 8 ? FAULT : found >> 4
}

function peek({ data, at }: Reading): number {
  const byte = at >> 3
  const bits = ((data[byte] ?? 0) << 16) | ((data[byte + 1] ?? 0) << 8) | (data[byte + 2] ?? 0)
  return (bits >> (24 - CODE_BITS - (at & 7))) & ((1 << CODE_BITS) - 1)
}

function readBits(reading: Reading, count: number): number {
  const value = peek(reading) >> (CODE_BITS - count)
  reading.at += count
  return value
}
