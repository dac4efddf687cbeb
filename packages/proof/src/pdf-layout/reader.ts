import { fromHex, readLatin1 } from '../bytes.ts'
import { refuse } from '../errors.ts'
import type { PdfDictionary, PdfName, PdfValue } from './objects.ts'

/** Where reading goes on. The readers move `at` forward and never look behind it. */
export interface Cursor {
  readonly bytes: Uint8Array
  at: number
  /** Counts every reference read, by object number, where the scan wants to know. */
  readonly references?: Map<number, number>
  /** Where an object may hold less than objects may. */
  readonly mostValues?: number
  /** What the object at hand may still hold. */
  room?: number
}

/** Deeper than any honest document, and shallow enough for every engine's stack. */
const MAX_DEPTH = 500

/** The longest number that a document may write. */
const MAX_NUMBER_LENGTH = 64

/** A file of some megabytes could else take a gigabyte of memory: no honest object comes near it. */
const MAX_VALUES = 3_000_000
/** An array or a dictionary takes about so much more memory than what it holds. */
const CONTAINER_VALUES = 10

/** Nothing that is asked for a string is as long, so the rest is only looked at. */
const MAX_KEPT_BYTES = 4096

/** Names of honest documents have some hundred bytes; ISO 32000-2 Annex C speaks of 127. */
const MAX_WORD_BYTES = 65_536

const WHITE_SPACE = '\0\t\n\f\r '
const DELIMITERS = '()<>[]{}/%'
const IS_WHITE_SPACE = markBytes(WHITE_SPACE)
const IS_HEX_DIGIT = markBytes('0123456789abcdefABCDEF')
const IS_END_OF_WORD = markBytes(WHITE_SPACE + DELIMITERS)

/** A table by byte: every byte of a document is looked up. */
function markBytes(characters: string): Uint8Array {
  const marked = new Uint8Array(256)
  for (let i = 0; i < characters.length; i++) marked[characters.charCodeAt(i)] = 1
  return marked
}

/** Whether exactly `text` stands at the cursor. */
export function isAt({ bytes, at }: Cursor, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

/** Steps over exactly `text`. @throws ProofError `rev0_layout` when something else stands there. */
export function skipText(cursor: Cursor, text: string): void {
  if (!isAt(cursor, text)) refuse('rev0_layout', `expected ${JSON.stringify(text)} at byte ${cursor.at}`)
  cursor.at += text.length
}

/** A whole number in its shortest form, at most 15 digits. @throws ProofError `rev0_layout`. */
export function readWholeNumber(cursor: Cursor): number {
  const start = cursor.at
  while (isDigit(cursor.bytes[cursor.at])) cursor.at++
  const digits = readLatin1(cursor.bytes, start, Math.min(cursor.at, start + 16))
  if (!/^(0|[1-9]\d{0,14})$/.test(digits)) refuse('rev0_layout', `no whole number at byte ${start}`)
  return Number(digits)
}

/**
 * Reads one object that is not a stream. Stricter than ISO 32000-2 section 7.3 asks: no comments, no generation but 0, no
 * key twice in a dictionary. What another reader could understand differently must not pass.
 * @throws ProofError `rev0_layout`.
 */
export function readValue(cursor: Cursor, depth = 0): PdfValue {
  if (depth > MAX_DEPTH) refuse('rev0_layout', `nested too deep at byte ${cursor.at}`)
  if (depth === 0) cursor.room = cursor.mostValues ?? MAX_VALUES
  takeRoom(cursor, 1)
  skipWhiteSpace(cursor)
  if (isAt(cursor, '/')) return readName(cursor)
  if (isAt(cursor, '[')) return readArray(cursor, depth)
  if (isAt(cursor, '(')) return readLiteralString(cursor)
  if (isAt(cursor, '<<')) return readDictionary(cursor, depth)
  if (isAt(cursor, '<')) return readHexString(cursor)
  return readWordOrNumber(cursor)
}

function takeRoom(cursor: Cursor, values: number): void {
  cursor.room = (cursor.room ?? 0) - values
  if (cursor.room < 0) refuse('rev0_layout', `too many values in one object at byte ${cursor.at}`)
}

function skipWhiteSpace(cursor: Cursor): void {
  while (IS_WHITE_SPACE[cursor.bytes[cursor.at] ?? 0xff] === 1) cursor.at++
}

function readWord(cursor: Cursor): string {
  const start = cursor.at
  while (cursor.at < cursor.bytes.length && IS_END_OF_WORD[cursor.bytes[cursor.at] ?? 0] !== 1) cursor.at++
  if (cursor.at - start > MAX_WORD_BYTES) refuse('rev0_layout', `a word too long at byte ${start}`)
  return readLatin1(cursor.bytes, start, cursor.at)
}

function readName(cursor: Cursor): PdfName {
  cursor.at++
  const word = readWord(cursor)
  return { kind: 'name', text: word.includes('#') ? readNameEscapes(word) : word }
}

function readNameEscapes(word: string): string {
  return word.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function readArray(cursor: Cursor, depth: number): PdfValue[] {
  takeRoom(cursor, CONTAINER_VALUES)
  cursor.at++
  const values: PdfValue[] = []
  for (;;) {
    skipWhiteSpace(cursor)
    if (isAt(cursor, ']')) break
    values.push(readValue(cursor, depth + 1))
  }
  cursor.at++
  return values
}

function readDictionary(cursor: Cursor, depth: number): PdfDictionary {
  takeRoom(cursor, CONTAINER_VALUES)
  cursor.at += 2
  const dictionary: PdfDictionary = new Map()
  for (;;) {
    skipWhiteSpace(cursor)
    if (isAt(cursor, '>>')) break
    if (!isAt(cursor, '/')) refuse('rev0_layout', `dictionary key expected at byte ${cursor.at}`)
    const key = readName(cursor).text
    if (dictionary.has(key)) refuse('rev0_layout', `key /${key} twice before byte ${cursor.at}`)
    dictionary.set(key, readValue(cursor, depth + 1))
  }
  cursor.at += 2
  return dictionary
}

/** ISO 32000-2 section 7.3.4.3: an odd last digit is followed by 0. */
function readHexString(cursor: Cursor): string {
  const start = cursor.at++
  let digits = ''
  for (;;) {
    const byte = cursor.bytes[cursor.at++]
    if (byte === 0x3e) break
    if (IS_WHITE_SPACE[byte ?? 0xff] === 1) continue
    if (byte === undefined || IS_HEX_DIGIT[byte] !== 1) return refuse('rev0_layout', `hex string at byte ${start}`)
    if (digits.length < 2 * MAX_KEPT_BYTES) digits += String.fromCharCode(byte)
  }
  return readLatin1(fromHex(digits.length % 2 === 0 ? digits : `${digits}0`))
}

/** ISO 32000-2 section 7.3.4.2: nested parentheses, escapes, and any line ending read as line feed. */
function readLiteralString(cursor: Cursor): string {
  const start = cursor.at++
  const text: number[] = []
  for (let open = 1; ;) {
    const byte = cursor.bytes[cursor.at++] ?? refuse('rev0_layout', `string at byte ${start} has no end`)
    if (byte === 0x28) open++
    if (byte === 0x29 && --open === 0) break
    if (byte === 0x5c) readEscape(cursor, text)
    else if (byte === 0x0d) readLineEnding(cursor, text)
    else keep(text, byte)
  }
  return readLatin1(Uint8Array.from(text))
}

function keep(text: number[], byte: number): void {
  if (text.length < MAX_KEPT_BYTES) text.push(byte)
}

function readEscape(cursor: Cursor, text: number[]): void {
  const byte = cursor.bytes[cursor.at++] ?? refuse('rev0_layout', 'string ends in an escape')
  const control = { n: 10, r: 13, t: 9, b: 8, f: 12 }[String.fromCharCode(byte)]
  if (control !== undefined) keep(text, control)
  else if (byte === 0x0d) readLineEnding(cursor, [])
  else if (isOctal(byte)) {
    let value = byte - 0x30
    for (let digits = 1; digits < 3 && isOctal(cursor.bytes[cursor.at]); digits++) {
      value = value * 8 + (cursor.bytes[cursor.at++] ?? 0) - 0x30
    }
    keep(text, value & 0xff)
  } else if (byte !== 0x0a) keep(text, byte)
}

function readLineEnding(cursor: Cursor, text: number[]): void {
  if (cursor.bytes[cursor.at] === 0x0a) cursor.at++
  keep(text, 0x0a)
}

function readWordOrNumber(cursor: Cursor): PdfValue {
  const start = cursor.at
  const word = readWord(cursor)
  if (word.length <= MAX_NUMBER_LENGTH) {
    if (/^\d+$/.test(word)) return readReferenceAfter(cursor, word) ?? Number(word)
    if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(word)) return Number(word)
  }
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  return refuse('rev0_layout', `unexpected ${JSON.stringify(word.slice(0, 20))} at byte ${start}`)
}

/** The rest of `12 0 R` after its first number, or undefined, the cursor where it was, when no reference stands there. */
function readReferenceAfter(cursor: Cursor, first: string): PdfValue | undefined {
  const back = cursor.at
  skipWhiteSpace(cursor)
  const generation = readWord(cursor)
  skipWhiteSpace(cursor)
  if (!/^\d+$/.test(generation) || readWord(cursor) !== 'R') {
    cursor.at = back
    return undefined
  }
  if (Number(generation) !== 0) refuse('rev0_layout', `generation ${generation} before byte ${cursor.at}`)
  const object = Number(first)
  cursor.references?.set(object, (cursor.references.get(object) ?? 0) + 1)
  return { kind: 'reference', object }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isOctal(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x37
}
