import type { Bytes } from '../bytes.ts'

/** RFC 4648 section 6: all of them stand in the alphanumeric mode of QR codes, and in fragments of addresses as they are. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base 32 without padding. RFC 4648 sections 3.2 and 6. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET.charAt((held >> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET.charAt((held << (5 - bits)) & 31) : text
}

/**
 * Reads base 32 in its one form: capitals, without padding, unused bits zero.
 * @returns undefined for any other text.
 * @see RFC 4648 sections 3.5 and 6
 */
export function fromBase32(text: string): Bytes | undefined {
  if (!/^[A-Z2-7]*$/.test(text)) return undefined
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let held = 0
  let bits = 0
  let at = 0
  for (const letter of text) {
    held = (held << 5) | ALPHABET.indexOf(letter)
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = held >> bits
    held &= (1 << bits) - 1
  }
  return toBase32(bytes) === text ? bytes : undefined
}
