import { areEqual, compareBytes, joinBytes, type Bytes } from '../bytes.ts'
import { readUtf8, writeUtf8 } from '../utf8.ts'

/** The part of CBOR that codes on paper are made of: whole numbers, bytes, text, lists, and maps with numbers as keys. */
export type CborValue = number | string | Bytes | readonly CborValue[] | CborMap
export type CborMap = ReadonlyMap<number, CborValue>

/** RFC 8949 section 3.1. */
const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, list: 4, map: 5 } as const

/** Nothing that this program writes is nested deeper. */
const MAX_DEPTH = 4

/**
 * CBOR in its one form.
 * @see RFC 8949 section 4.2.1, "Core Deterministic Encoding Requirements"
 */
export function encodeCbor(value: CborValue): Bytes {
  if (typeof value === 'number')
    return value < 0 ? encodeHead(MAJOR.negative, -1 - value) : encodeHead(MAJOR.unsigned, value)
  if (typeof value === 'string') return encodeString(MAJOR.text, writeUtf8(value))
  if (value instanceof Uint8Array) return encodeString(MAJOR.bytes, value)
  if (Array.isArray(value)) return joinBytes(encodeHead(MAJOR.list, value.length), ...value.map(encodeCbor))
  const members = [...(value as CborMap)]
    .map(([key, member]) => [encodeCbor(key), encodeCbor(member)] as const)
    .sort(([one], [other]) => compareBytes(one, other))
  return joinBytes(encodeHead(MAJOR.map, members.length), ...members.flat())
}

const encodeString = (major: number, bytes: Bytes): Bytes => joinBytes(encodeHead(major, bytes.length), bytes)

/** The shortest way to write a number beside its major type. RFC 8949 sections 3 and 4.2.1. */
function encodeHead(major: number, number: number): Bytes {
  const first = major << 5
  if (number < 24) return Uint8Array.of(first | number)
  const size = [1, 2, 4, 8].findIndex((bytes) => number < 2 ** (8 * bytes))
  const head = new Uint8Array(1 + 2 ** size)
  head[0] = first | (24 + size)
  for (let at = head.length - 1, rest = number; at > 0; at--, rest = Math.floor(rest / 256)) head[at] = rest % 256
  return head
}

/** Where a reader stands. */
interface Cursor {
  bytes: Bytes
  at: number
}

/**
 * Reads CBOR in its one form, to its last byte. The work is bounded by the length of what is given.
 * @returns undefined for anything else: another order or length of what stands there, keys that stand twice, values of other
 *   kinds, numbers from 2^53 on, bytes that follow.
 * @see RFC 8949 sections 3 and 4.2.1
 */
export function decodeCbor(bytes: Bytes): CborValue | undefined {
  const cursor = { bytes, at: 0 }
  const value = readValue(cursor, 0)
  if (value === undefined || cursor.at !== bytes.length) return undefined
  return areEqual(encodeCbor(value), bytes) ? value : undefined
}

function readValue(cursor: Cursor, depth: number): CborValue | undefined {
  const head = readHead(cursor)
  if (head === undefined || depth > MAX_DEPTH) return undefined
  const { major, number } = head
  switch (major) {
    case MAJOR.unsigned:
      return number
    case MAJOR.negative:
      return -1 - number
    case MAJOR.bytes:
      return readString(cursor, number)
    case MAJOR.text: {
      const bytes = readString(cursor, number)
      return bytes && readUtf8(bytes)
    }
    case MAJOR.list:
      return readList(cursor, number, depth)
    case MAJOR.map:
      return readMap(cursor, number, depth)
    default:
      return undefined
  }
}

function readHead(cursor: Cursor): { major: number; number: number } | undefined {
  const first = cursor.bytes[cursor.at++]
  if (first === undefined) return undefined
  const major = first >> 5
  const short = first & 31
  if (short < 24) return { major, number: short }
  // 28 to 30 are not given out, 31 begins what has no length. RFC 8949 section 3.
  if (short > 27) return undefined
  const digits = readString(cursor, 2 ** (short - 24))
  const number = digits?.reduce((sum, byte) => sum * 256 + byte, 0)
  return number !== undefined && Number.isSafeInteger(number) ? { major, number } : undefined
}

function readString(cursor: Cursor, length: number): Bytes | undefined {
  const end = cursor.at + length
  if (end > cursor.bytes.length) return undefined
  const part = cursor.bytes.slice(cursor.at, end)
  cursor.at = end
  return part
}

function readList(cursor: Cursor, length: number, depth: number): CborValue[] | undefined {
  const list: CborValue[] = []
  for (let i = 0; i < length; i++) {
    const value = readValue(cursor, depth + 1)
    if (value === undefined) return undefined
    list.push(value)
  }
  return list
}

/** A key that stands twice makes a map that is written back shorter, and so is refused. */
function readMap(cursor: Cursor, length: number, depth: number): CborMap | undefined {
  const map = new Map<number, CborValue>()
  for (let i = 0; i < length; i++) {
    const key = readValue(cursor, depth + 1)
    const value = typeof key === 'number' ? readValue(cursor, depth + 1) : undefined
    if (typeof key !== 'number' || value === undefined) return undefined
    map.set(key, value)
  }
  return map
}
