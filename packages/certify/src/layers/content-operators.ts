import { KINDS } from '../pdf/byte-kinds.ts'
import { readNameEscapes } from '../pdf/read-name-escapes.ts'

/** One operand of an operator; of arrays and dictionaries only the place is told. */
export interface Operand {
  kind: 'name' | 'number' | 'string' | 'array' | 'dictionary' | 'word'
  /** Names without the slash and with their escapes read; words as they stand. */
  text: string
  start: number
  end: number
}

/** One operator of a content stream. `BI` stands for the whole inline image, up to its end. */
export interface Operator {
  name: string
  operands: readonly Operand[]
  /** Where its first operand begins. */
  start: number
  end: number
}

/** Bytes behind a candidate for the end of an inline image that must look like text. */
const LOOKAHEAD = 10
const CONSTANTS = new Set(['true', 'false', 'null'])

/** The operators of a content stream, in order (ISO 32000-2 section 7.8.2). Operands without an operator are left out. */
export function* readOperators(bytes: Uint8Array): Generator<Operator> {
  let operands: Operand[] = []
  /** Brackets open around the present place. */
  const open: { kind: 'array' | 'dictionary'; start: number }[] = []
  let at = 0
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const add = (kind: Operand['kind'], start: number, text = ''): void => {
    if (open.length === 0) operands.push({ kind, text, start, end: at })
  }
  while (at < bytes.length) {
    const start = at
    const byte = bytes[at]!
    at += 1
    if (KINDS[byte] === 1) continue
    if (byte === 0x25) {
      while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
    } else if (byte === 0x28) {
      at = skipString(bytes, at)
      add('string', start)
    } else if (byte === 0x2f) {
      while (at < bytes.length && KINDS[bytes[at]!] === 0) at++
      add('name', start, readName(bytes, start + 1, at))
    } else if (byte === 0x3c && bytes[at] !== 0x3c) {
      while (at < bytes.length && bytes[at] !== 0x3e) at++
      at = Math.min(bytes.length, at + 1)
      add('string', start)
    } else if (byte === 0x3c || byte === 0x5b) {
      if (byte === 0x3c) at += 1
      open.push({ kind: byte === 0x3c ? 'dictionary' : 'array', start })
    } else if (byte === 0x3e || byte === 0x5d) {
      if (byte === 0x3e && bytes[at] === 0x3e) at += 1
      const closed = open.pop()
      if (closed !== undefined) add(closed.kind, closed.start)
    } else if (KINDS[byte] === 0) {
      while (at < bytes.length && KINDS[bytes[at]!] === 0) at++
      const word = content.toString('latin1', start, at)
      if (byte < 0x3a && /^[\d.+-]+$/.test(word)) add('number', start, word)
      else if (CONSTANTS.has(word)) add('word', start, word)
      else {
        // an operator inside a bracket that was never closed ends the bracket, as in readers
        open.length = 0
        if (word === 'BI') at = skipInlineImage(bytes, at)
        yield { name: word, operands, start: operands[0]?.start ?? start, end: at }
        operands = []
      }
    }
  }
}

function readName(bytes: Uint8Array, from: number, to: number): string {
  return readNameEscapes(Buffer.from(bytes.subarray(from, to)).toString('latin1'))
}

function skipString(bytes: Uint8Array, from: number): number {
  let depth = 1
  let at = from
  for (; at < bytes.length && depth > 0; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at += 1
    else if (byte === 0x28) depth += 1
    else if (byte === 0x29) depth -= 1
  }
  return Math.min(at, bytes.length)
}

/** ASCII base-85 as the first filter of an image among operators (ISO 32000-2 table 92). */
const IN_LETTERS = /\/(?:F|Filter)[\s\0]*\[?[\s\0]*\/(?:A85|ASCII85Decode)(?![\w#])/

/** @param dictionary What stands between `BI` and `ID`. */
export function isInLetters(dictionary: string): boolean {
  return IN_LETTERS.test(dictionary)
}

/** @returns the place behind the end that such data have of their own, `~>` (ISO 32000-2 section 7.4.3); undefined without one. */
export function endOfLetters(content: Buffer, from: number): number | undefined {
  for (let at = content.indexOf(0x7e, from); at >= 0; at = content.indexOf(0x7e, at + 1)) {
    let end = at + 1
    while (KINDS[content[end]!] === 1) end++
    if (content[end] === 0x3e) return end + 1
  }
  return undefined
}

/** From behind `BI` to behind `EI`. Its data may hold these letters too; text must follow where they mean the end. */
export function skipInlineImage(bytes: Uint8Array, from: number): number {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data = findWord(whole, 'ID', from)
  if (data === undefined) return bytes.length
  const letters = isInLetters(whole.toString('latin1', from, data)) ? endOfLetters(whole, data + 3) : undefined
  const behind = letters ?? data + 3
  for (let at = findWord(whole, 'EI', behind); at !== undefined; at = findWord(whole, 'EI', at + 1)) {
    if (whole.subarray(at + 2, at + 2 + LOOKAHEAD).every(isText)) return at + 2
  }
  return bytes.length
}

/** A word between white space; at the end it may also be the last. */
function findWord(bytes: Buffer, word: string, from: number): number | undefined {
  for (let at = bytes.indexOf(word, from); at >= 0; at = bytes.indexOf(word, at + 1)) {
    const after = at + word.length
    if (KINDS[bytes[at - 1]!] !== 0 && (after >= bytes.length || KINDS[bytes[after]!] === 1)) return at
  }
  return undefined
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || KINDS[byte] === 1
}
