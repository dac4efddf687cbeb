/** Bytes that WebCrypto takes: never in memory that several threads share. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Longest piece handed to String.fromCharCode at once: engines limit the number of arguments. */
const PIECE = 8192

/** Passing arguments costs more than it is worth for names and numbers, which are most of what is read. */
const SHORT = 48

/** The bytes from `start` to before `end` as text of one character per byte (ISO 8859-1). */
export function readLatin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = ''
  if (start >= 0 && end <= bytes.length && end - start <= SHORT) {
    for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0)
    return text
  }
  const part = bytes.subarray(start, end)
  // Spread, they would go through an iterator, which takes ten times as long.
  for (let at = 0; at < part.length; at += PIECE) text += writeCharacters(undefined, part.subarray(at, at + PIECE))
  return text
}

const writeCharacters = Function.prototype.apply.bind(String.fromCharCode) as (
  self: undefined,
  codes: Uint8Array,
) => string

/** One byte per character; every character of `text` is below U+0100. */
export function writeLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Of each byte, its two digits. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at++) text += HEX[bytes[at]!]
  return text
}

/** The bytes that pairs of hex digits write; `hex` has an even number of them and nothing else. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (readDigit(hex.charCodeAt(2 * i)) << 4) | readDigit(hex.charCodeAt(2 * i + 1))
  return bytes
}

/** Small letters are capital ones with one bit more; the digits lie below both. */
const readDigit = (code: number): number => (code < 0x41 ? code - 0x30 : (code | 0x20) - 0x57)

/** Whether two byte strings are the same. Not in constant time: nothing compared here is secret. */
export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}

/** Below 0 when `one` sorts before `other`, byte by byte; a beginning sorts before the whole. */
export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, i) => byte !== other[i])
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1)
}

/** One after the other, in memory of their own. */
export function joinBytes(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
