/** Adobe Type 1 Font Format, section 7.1. */
const KEY = 55_665
const GLYPH_KEY = 4330
const FACTOR = 52_845
const SUMMAND = 22_719
/** That stand before the text, and mean nothing. */
const RANDOM_BYTES = 4
/** The first byte must not look like a digit or a blank once it is encrypted. */
const RANDOM = Buffer.alloc(RANDOM_BYTES)
/** Any other byte may be of the cipher. */
const BLANKS = new Set([0x20, 9, 10, 13])

/** What stands behind `eexec` in a program of Type 1; nothing where the word is missing. */
export function decryptType1(program: Buffer): Buffer {
  const word = program.indexOf('eexec')
  if (word < 0) return Buffer.alloc(0)
  let at = word + 'eexec'.length
  while (BLANKS.has(program[at] ?? 0)) at++
  const isHex = /^[\da-f\s]{4}/i.test(program.toString('latin1', at, at + 4))
  const cipher = isHex
    ? Buffer.from(program.toString('latin1', at).replaceAll(/[^\da-f]/gi, ''), 'hex')
    : program.subarray(at)
  return decrypt(cipher, KEY).subarray(RANDOM_BYTES)
}

/** @param random Bytes that stand before the glyph. */
export const decryptGlyph = (cipher: Buffer, random: number): Buffer => decrypt(cipher, GLYPH_KEY).subarray(random)

function decrypt(cipher: Buffer, start: number): Buffer {
  const plain = Buffer.alloc(cipher.length)
  let key = start
  for (let i = 0; i < cipher.length; i++) {
    const byte = cipher[i]!
    plain[i] = byte ^ (key >> 8)
    key = ((byte + key) * FACTOR + SUMMAND) & 0xffff
  }
  return plain
}

/** The other way round. */
export const encryptType1 = (plain: Buffer): Buffer => encrypt(Buffer.concat([RANDOM, plain]), KEY)

export const encryptGlyph = (plain: Buffer, random: number): Buffer =>
  encrypt(Buffer.concat([Buffer.alloc(random), plain]), GLYPH_KEY)

function encrypt(plain: Buffer, start: number): Buffer {
  const cipher = Buffer.alloc(plain.length)
  let key = start
  for (let i = 0; i < plain.length; i++) {
    cipher[i] = plain[i]! ^ (key >> 8)
    key = ((cipher[i]! + key) * FACTOR + SUMMAND) & 0xffff
  }
  return cipher
}
