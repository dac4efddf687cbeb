/** Adobe Type 1 Font Format, section 7.1. */
const KEY = 55_665
const FACTOR = 52_845
const SUMMAND = 22_719
/** That stand before the text, and mean nothing. */
const RANDOM_BYTES = 4
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
  const plain = Buffer.alloc(cipher.length)
  let key = KEY
  for (let i = 0; i < cipher.length; i++) {
    const byte = cipher[i]!
    plain[i] = byte ^ (key >> 8)
    key = ((byte + key) * FACTOR + SUMMAND) & 0xffff
  }
  return plain.subarray(RANDOM_BYTES)
}
