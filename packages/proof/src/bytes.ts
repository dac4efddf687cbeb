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
  for (let at = 0; at < part.length; at += PIECE) text += String.fromCharCode(...part.subarray(at, at + PIECE))
  return text
}

/** One byte per character; every character of `text` is below U+0100. */
export function writeLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

/** Lower-case hex, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/** The bytes that pairs of hex digits write; `hex` has an even number of them and nothing else. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

/** Whether two byte strings are the same. Not in constant time: nothing compared here is secret. */
export function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i])
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
