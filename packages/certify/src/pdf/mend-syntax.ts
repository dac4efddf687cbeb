import { KINDS } from './byte-kinds.ts'

/**
 * The parser reads a stray `)`, `{` or `}` as a word of no letters and never comes past it, and a word where the key of a
 * dictionary is due makes it take values for keys from there on. Other readers step over both. Here they are replaced by
 * spaces as the parser meets them, in the bytes themselves, so that the next attempt reads what others read.
 */

/** A file with more strays is not worth mending. */
const MOST_STRAYS = 200
const LONGEST_WORD = 40
/** What may be looked through again for one file: far more than honest files need, and done in a moment. */
const MOST_BYTES = 32 << 20

const SPACE = 0x20
const isStrayDelimiter = (byte: number | undefined): boolean => byte === 0x29 || byte === 0x7b || byte === 0x7d
const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

/** Words of a PDF outside content streams (ISO 32000-2 section 7). */
const WORDS = new Set(
  ['obj', 'endobj', 'stream', 'endstream', 'R', 'null', 'true', 'false'].concat(
    ['xref', 'trailer', 'startxref', 'f', 'n'],
    ['FDF', 'EOF', 'PDF'],
  ),
)

/** A file's bytes that notice when the parser stumbles over them. They change: nobody else may need them any more. */
export class WatchedBytes extends Uint8Array {
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array
  }

  /** How many strays were replaced so far. What was read before the last one may have been misread. */
  strays = 0
  /** The parser met strays that cannot be told from data, or too many. */
  isHopeless = false
  #bytesLeft = MOST_BYTES

  /** The parser takes each word that is neither name nor string by this call. */
  override subarray(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    if (start !== undefined && end !== undefined && end - start <= LONGEST_WORD) {
      if (start === end ? isStrayDelimiter(this[start]) : isLetter(this[start]!)) {
        // `R`, `obj` and `endobj` are nearly all words there are
        const length = end - start
        const isUsual =
          length === 1 || (length === 3 && this[start] === 0x6f) || (length === 6 && this[end - 1] === 0x6a)
        if (!isUsual) this.#mend(start, end)
      }
      // the same, and much faster than by way of the species
      if (start >= 0 && end >= start && end <= this.length) {
        return new Uint8Array(this.buffer, this.byteOffset + start, end - start)
      }
    }
    return super.subarray(start, end)
  }

  #mend(start: number, end: number): void {
    // the same memory, without this watch
    const bytes = Buffer.from(this.buffer, this.byteOffset, this.byteLength)
    const isWord = start < end
    if (isWord && !isUnknown(readLatin(bytes, start, end))) return
    const isWorthIt = this.strays < MOST_STRAYS && this.#bytesLeft > 0
    const object = isWorthIt ? findObject(bytes, start) : undefined
    this.#bytesLeft -= start - (object ?? 0)
    const mended = object === undefined ? 0 : blankStrays(bytes, object, Math.max(end, start + 1))
    this.strays += mended
    if (isWord || mended > 0) return
    this.isHopeless = true
    throw new Error('a stray delimiter that the parser cannot get past')
  }
}

/** The same memory, watched. */
export function watchSyntax(bytes: Uint8Array): WatchedBytes {
  return new WatchedBytes(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}

/** No word of the language, nor one that has grown together with what follows it, as in `endobj7`. */
function isUnknown(word: string): boolean {
  return /^[A-Za-z]+$/.test(word) && !WORDS.has(word) && !/^(?:end|obj|stream)/.test(word)
}

function readLatin(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end && at < start + LONGEST_WORD; at++) text += String.fromCharCode(bytes[at]!)
  return text
}

/** Where the object begins that holds the place; undefined inside of stream data, which must not be touched. */
function findObject(bytes: Buffer, at: number): number | undefined {
  const object = bytes.lastIndexOf('obj', at)
  return object < 0 || bytes.subarray(object, at).includes('stream') ? undefined : object + 3
}

/**
 * Replaces by spaces what stands between two places and is no part of any object: delimiters that nothing opened, and words
 * where the key of a dictionary is due.
 * @param from Outside of strings and stream data; so is everything up to `to`.
 * @returns how many were replaced.
 */
export function blankStrays(bytes: Uint8Array, from: number, to: number): number {
  // of each open array or dictionary: how many objects stand in it so far
  const open: { isDictionary: boolean; items: number }[] = []
  const addItem = (): void => {
    const inner = open.at(-1)
    if (inner !== undefined) inner.items += 1
  }
  let blanked = 0
  for (let at = from; at < to;) {
    const byte = bytes[at]!
    const start = at
    at += 1
    if (KINDS[byte] === 1) continue
    if (byte === 0x25) while (at < to && bytes[at] !== 10 && bytes[at] !== 13) at++
    else if (byte === 0x28) {
      at = skipString(bytes, at, to)
      addItem()
    } else if (byte === 0x3c && bytes[at] !== 0x3c) {
      while (at < to && bytes[at] !== 0x3e) at++
      at += 1
      addItem()
    } else if (byte === 0x3c || byte === 0x5b) {
      addItem()
      open.push({ isDictionary: byte === 0x3c, items: 0 })
      if (byte === 0x3c) at += 1
    } else if (byte === 0x3e || byte === 0x5d) {
      open.pop()
      if (bytes[at] === 0x3e && byte === 0x3e) at += 1
    } else if (isStrayDelimiter(byte)) {
      bytes[start] = SPACE
      blanked += 1
    } else {
      while (at < to && KINDS[bytes[at]!] === 0) at++
      const inner = open.at(-1)
      if (inner === undefined) continue
      // only a word can be amiss here: neither a name nor a number
      const word = isLetter(byte) ? readLatin(bytes, start, at) : ''
      if (word === 'R') {
        // two numbers and this are one object
        inner.items -= 1
      } else if (word !== '' && inner.isDictionary && inner.items % 2 === 0 && isUnknown(word)) {
        bytes.fill(SPACE, start, at)
        blanked += 1
      } else inner.items += 1
    }
  }
  return blanked
}

function skipString(bytes: Uint8Array, from: number, to: number): number {
  let depth = 1
  let at = from
  for (; at < to && depth > 0; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at += 1
    else if (byte === 0x28) depth += 1
    else if (byte === 0x29) depth -= 1
  }
  return at
}

/** Object streams are unpacked by the parser; nothing in them is data. Does nothing to most of them, quickly. */
export function mendObjectStream(decoded: Uint8Array): Uint8Array {
  const bytes = Buffer.from(decoded.buffer, decoded.byteOffset, decoded.byteLength)
  if (bytes.includes(')') || bytes.includes('{') || bytes.includes('}')) blankStrays(decoded, 0, decoded.length)
  return decoded
}
