import { readLatin1 } from './bytes.ts'
import { refuse } from './errors.ts'

/** One element: tag, length, contents. X.690 section 8.1. */
export interface DerElement {
  tag: number
  /** Tag, length and contents. */
  whole: Uint8Array<ArrayBuffer>
  contents: Uint8Array<ArrayBuffer>
}

/** Tags used here: universal ones of X.690, and context-specific constructed ones as `context(n)`. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** Tag of `[n]`, constructed. */
export function context(n: number): number {
  return 0xa0 + n
}

/**
 * Reads the element that starts at `start`: single-byte tags, definite lengths in their shortest form.
 * @throws ProofError `der`.
 * @see X.690 sections 8.1 and 10.1
 */
export function readElement(bytes: Uint8Array<ArrayBuffer>, start = 0): DerElement {
  const tag = bytes[start] ?? refuse('der', 'no element')
  if ((tag & 0x1f) === 0x1f) refuse('der', 'tag of several bytes')
  const { length, headerBytes } = readLength(bytes, start + 1)
  const from = start + 1 + headerBytes
  if (from + length > bytes.length) refuse('der', 'element longer than its bytes')
  return { tag, whole: bytes.subarray(start, from + length), contents: bytes.subarray(from, from + length) }
}

function readLength(bytes: Uint8Array, at: number): { length: number; headerBytes: number } {
  const first = bytes[at] ?? refuse('der', 'no length')
  if (first < 0x80) return { length: first, headerBytes: 1 }
  const count = first & 0x7f
  let length = 0
  for (let i = 1; i <= count; i++) length = length * 256 + (bytes[at + i] ?? refuse('der', 'no length'))
  if (length < 0x80 || length < 2 ** (8 * (count - 1))) refuse('der', 'length not in its shortest form')
  return { length, headerBytes: 1 + count }
}

/** The element that `bytes` are, no byte more. @throws ProofError `der`. */
export function readOnlyElement(bytes: Uint8Array<ArrayBuffer>): DerElement {
  const element = readElement(bytes)
  if (element.whole.length !== bytes.length) refuse('der', 'bytes after the element')
  return element
}

/** The elements inside one; with `tag`, only if the outer one has it. @throws ProofError `der`. */
export function readChildren(element: DerElement | undefined, tag?: number): DerElement[] {
  if (!element || (tag !== undefined && element.tag !== tag)) return refuse('der', `element of tag ${tag} expected`)
  const children: DerElement[] = []
  for (let at = 0; at < element.contents.length;) {
    const child = readElement(element.contents, at)
    children.push(child)
    at += child.whole.length
  }
  return children
}

/** The one element inside. @throws ProofError `der`. */
export function readOnlyChild(element: DerElement | undefined, tag?: number): DerElement {
  const [child, ...others] = readChildren(element, tag)
  return child && others.length === 0 ? child : refuse('der', 'one element expected')
}

/** Contents of a primitive element of that tag. @throws ProofError `der`. */
export function readContents(element: DerElement | undefined, tag: number): Uint8Array<ArrayBuffer> {
  return element?.tag === tag ? element.contents : refuse('der', `element of tag ${tag} expected`)
}

/** An element as it stands, which must not be missing. @throws ProofError `der`. */
export function readWhole(element: DerElement | undefined): Uint8Array<ArrayBuffer> {
  return element?.whole ?? refuse('der', 'element missing')
}

/** An object identifier with dots. X.690 section 8.19. @throws ProofError `der`. */
export function readOid(element: DerElement | undefined): string {
  const contents = readContents(element, TAG.oid)
  const numbers: number[] = []
  let number = 0
  for (const [i, byte] of contents.entries()) {
    const isFirstOfNumber = i === 0 || (contents[i - 1] ?? 0) < 0x80
    if (isFirstOfNumber && byte === 0x80) refuse('der', 'object identifier')
    number = number * 128 + (byte & 0x7f)
    if (!Number.isSafeInteger(number)) refuse('der', 'object identifier')
    if (byte < 0x80) {
      numbers.push(number)
      number = 0
    }
  }
  const [first] = numbers
  if (first === undefined || (contents.at(-1) ?? 0x80) >= 0x80) return refuse('der', 'object identifier')
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - 40 * root, ...numbers.slice(1)].join('.')
}

/** UTCTime or GeneralizedTime in whole seconds and UTC, as milliseconds since 1970. RFC 5280 section 4.1.2.5. */
export function readTime(element: DerElement | undefined): number {
  const digits = element ? readLatin1(element.contents) : ''
  if (element?.tag === TAG.utcTime) return parseTime(`${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits}`)
  if (element?.tag === TAG.generalizedTime) return parseTime(digits)
  return refuse('der', 'time expected')
}

function parseTime(digits: string): number {
  return parseDigits(digits, /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/) ?? refuse('der', 'time')
}

/** Year, month, day, hour, minute and second as milliseconds since 1970 UTC; undefined when there is no such second. */
export function parseDigits(text: string, pattern: RegExp): number | undefined {
  const [year, month, day, hour, minute, second] = (pattern.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const printed = Number.isNaN(time) ? '' : new Date(time).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return printed === text.replaceAll(/\D/g, '') ? time : undefined
}

/** Writes an element around `contents`. */
export function writeElement(tag: number, ...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = contents.reduce((sum, part) => sum + part.length, 0)
  const header = [tag, ...writeLength(length)]
  const bytes = new Uint8Array(header.length + length)
  bytes.set(header)
  let at = header.length
  for (const part of contents) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function writeLength(length: number): number[] {
  if (length < 0x80) return [length]
  const digits: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return [0x80 + digits.length, ...digits]
}

export const writeSequence = (...parts: readonly Uint8Array[]) => writeElement(TAG.sequence, ...parts)
/** DER sorts the elements of a set by their bytes; whoever has several does that. */
export const writeSet = (...parts: readonly Uint8Array[]) => writeElement(TAG.set, ...parts)
export const writeOctets = (bytes: Uint8Array) => writeElement(TAG.octetString, bytes)
/** @param number 0 to 127. */
export const writeInteger = (number: number) => writeElement(TAG.integer, Uint8Array.of(number))

/** @param oid With dots. X.690 section 8.19. */
export function writeOid(oid: string): Uint8Array<ArrayBuffer> {
  const [root = 0, second = 0, ...rest] = oid.split('.').map(Number)
  return writeElement(TAG.oid, Uint8Array.from([root * 40 + second, ...rest].flatMap((number) => writeBase128(number))))
}

function writeBase128(number: number): number[] {
  const digits = [number % 128]
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(128 + (rest % 128))
  return digits
}
