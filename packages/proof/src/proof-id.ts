import { hashSha256 } from './sha256.ts'

/** Douglas Crockford's base 32: no I, L, O and U. The five symbols after it stand only in the last, checking place. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHECK_ALPHABET = `${ALPHABET}*~$=U`
const CHECK_MODULUS = 37

/** 80 bits, 5 bits per symbol. */
const SYMBOLS = 16
const BYTES = 10
const GROUP = 4

/** Nobody types or pastes more than this for one Proof ID; longer text is refused unread. */
const MAX_INPUT_LENGTH = 200

/** White space, every dash and minus sign, soft hyphens, and invisible characters that come along when text is copied. */
const IGNORED = /[\s\p{Z}\p{Pd}\p{Cf}\u2043\u2212]/gu

/**
 * The Proof ID of a seed: the first 80 bits of SHA-256("pid\n" || seed) in Crockford base 32 and one check symbol, printed
 * as `XXXX-XXXX-XXXX-XXXX-C`. Nobody can tell it without the seed.
 * @param seed The proof's random seed, 32 bytes.
 */
export function makeProofId(seed: Uint8Array): string {
  const prefix = new TextEncoder().encode('pid\n')
  const input = new Uint8Array(prefix.length + seed.length)
  input.set(prefix)
  input.set(seed, prefix.length)
  return printBytes(hashSha256(input).subarray(0, BYTES))
}

/** The 10 bytes that a Proof ID writes. @param proofId Printed form. @returns undefined for any other text. */
export function packProofId(proofId: string): Uint8Array<ArrayBuffer> | undefined {
  if (readProofId(proofId) !== proofId) return undefined
  const symbols = proofId.replaceAll('-', '').slice(0, SYMBOLS)
  let number = 0n
  for (const symbol of symbols) number = (number << 5n) | BigInt(ALPHABET.indexOf(symbol))
  return Uint8Array.from({ length: BYTES }, (_, i) => Number((number >> BigInt(8 * (BYTES - 1 - i))) & 255n))
}

/** The Proof ID that 10 bytes stand for, in its printed form. @returns undefined for more or fewer. */
export function unpackProofId(bytes: Uint8Array): string | undefined {
  return bytes.length === BYTES ? printBytes(bytes) : undefined
}

function printBytes(bytes: Uint8Array): string {
  let number = 0n
  for (const byte of bytes) number = (number << 8n) | BigInt(byte)
  let symbols = ''
  for (let i = SYMBOLS - 1; i >= 0; i--) symbols += ALPHABET.charAt(Number((number >> BigInt(5 * i)) & 31n))
  return printProofId(symbols)
}

/**
 * Reads a Proof ID as people write it: in either case, with or without spaces and dashes, O for 0, I and L for 1.
 * @returns The printed form, or undefined when `text` is no Proof ID or its check symbol is wrong. Never throws.
 */
export function readProofId(text: string): string | undefined {
  if (text.length > MAX_INPUT_LENGTH) return undefined
  const typed = text.replace(IGNORED, '')
  if (!/^[0-9A-Za-z]{16}[0-9A-Za-z*~$=]$/.test(typed)) return undefined
  const symbols = foldSymbols(typed)
  const body = symbols.slice(0, SYMBOLS)
  // U is no digit: it stands for 36 in the checking place alone
  if (body.includes('U')) return undefined
  return computeCheckSymbol(body) === symbols.charAt(SYMBOLS) ? printProofId(body) : undefined
}

/** Shorter pieces would match by chance. */
const MIN_PIECE_SYMBOLS = 4

/**
 * Reads a piece of a Proof ID as forgivingly as a whole one.
 * @returns its symbols without dashes, or undefined when `text` can be no such piece or is too short.
 */
export function readProofIdPiece(text: string): string | undefined {
  if (text.length > MAX_INPUT_LENGTH) return undefined
  const typed = text.replace(IGNORED, '')
  if (typed.length < MIN_PIECE_SYMBOLS || !/^[0-9A-Za-z*~$=]+$/.test(typed)) return undefined
  return foldSymbols(typed)
}

/** The one way to write symbols. */
function foldSymbols(typed: string): string {
  return typed.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** The number that the symbols write, modulo 37. */
function computeCheckSymbol(symbols: string): string {
  let remainder = 0
  for (const symbol of symbols) remainder = (remainder * 32 + ALPHABET.indexOf(symbol)) % CHECK_MODULUS
  return CHECK_ALPHABET.charAt(remainder)
}

function printProofId(symbols: string): string {
  const groups: string[] = []
  for (let i = 0; i < SYMBOLS; i += GROUP) groups.push(symbols.slice(i, i + GROUP))
  return [...groups, computeCheckSymbol(symbols)].join('-')
}
