import { readLatin1 } from './bytes.ts'
import { readChildren, readContents, readOid, readOnlyElement, TAG, type DerElement } from './der.ts'
import { refuse } from './errors.ts'
import { remember } from './remember.ts'
import { hashSha256 } from './sha256.ts'

/** Hash functions by object identifier. RFC 5754 section 2. */
const HASHES: Record<string, string> = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
}

/** Hash null: the one that the CMS names beside it. RFC 5754 section 3, RFC 5758 section 3.2. */
const SIGNATURES: Record<string, { kind: 'RSA' | 'EC'; hash: string | null }> = {
  '1.2.840.113549.1.1.1': { kind: 'RSA', hash: null },
  '1.2.840.113549.1.1.11': { kind: 'RSA', hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { kind: 'RSA', hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { kind: 'RSA', hash: 'SHA-512' },
  '1.2.840.10045.4.3.2': { kind: 'EC', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { kind: 'EC', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { kind: 'EC', hash: 'SHA-512' },
}

/** Coordinates in bytes. RFC 5480 section 2.1.1.1. */
const CURVES: Record<string, { namedCurve: string; bytes: number }> = {
  '1.2.840.10045.3.1.7': { namedCurve: 'P-256', bytes: 32 },
  '1.3.132.0.34': { namedCurve: 'P-384', bytes: 48 },
}

/** Of RSA keys and signatures: parameters are NULL there. RFC 4055 section 5. */
const RSA_ALGORITHMS = '1.2.840.113549.1.1.'

/**
 * An AlgorithmIdentifier in its one form: NULL for RSA, and no parameters for all else (RFC 5754 section 2, RFC 5758
 * section 3.2). Nothing signs it in a container, so a second form of it would be a second file with the same signature.
 * @throws ProofError `der`.
 */
export function readAlgorithm(element: DerElement | undefined): { oid: string; whole: Uint8Array<ArrayBuffer> } {
  const [oid, parameters, ...others] = readChildren(element, TAG.sequence)
  const name = readOid(oid)
  const isPlain = name.startsWith(RSA_ALGORITHMS)
    ? parameters?.tag === TAG.null && parameters.contents.length === 0
    : parameters === undefined
  if (!element || !isPlain || others.length > 0) return refuse('der', 'algorithm')
  return { oid: name, whole: element.whole }
}

/** WebCrypto's name of a hash function. @throws ProofError `cms_alg`. */
export function nameHash(oid: string): string {
  return HASHES[oid] ?? refuse('cms_alg', `hash function ${oid}`)
}

/** Of less than this, asking WebCrypto takes longer than hashing. */
const SHORT_BYTES = 2048

/** Hashes with WebCrypto, and what is short by ourselves. */
export async function digest(hash: string, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (hash === 'SHA-256' && bytes.length < SHORT_BYTES) return hashSha256(bytes)
  return new Uint8Array(await crypto.subtle.digest(hash, bytes))
}

/** What a signature is checked with. */
export interface SignatureCheck {
  /** Object identifier of the signature algorithm. */
  algorithm: string
  /** Used where the algorithm names none: WebCrypto's name. */
  hash: string | null
  /** SubjectPublicKeyInfo. */
  publicKey: DerElement
  signature: Uint8Array<ArrayBuffer>
  signed: Uint8Array<ArrayBuffer>
}

/**
 * Whether a PKCS #1 v1.5 or ECDSA (P-256, P-384) signature is right.
 * @throws ProofError `cms_alg` for an unknown algorithm, `signature` for a value of the wrong shape, `malformed` for a broken key;
 *   what WebCrypto lacks or fails at throws its own DOMException.
 */
export async function checkSignature(check: SignatureCheck): Promise<boolean> {
  const { kind, hash: ownHash } = SIGNATURES[check.algorithm] ?? refuse('cms_alg', `signature ${check.algorithm}`)
  const hash = ownHash ?? check.hash ?? refuse('cms_alg', 'no hash function')
  if (kind === 'EC') return checkEcdsa(check, hash)
  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash }
  const key = await importKey(check.publicKey, rsa)
  return crypto.subtle.verify(rsa, key, check.signature, check.signed)
}

/** @throws ProofError `malformed` for what is no such key, which WebCrypto calls a DataError. W3C WebCrypto, section 14.3.9. */
async function importKey(key: DerElement, algorithm: RsaHashedImportParams | EcKeyImportParams): Promise<CryptoKey> {
  try {
    return await findKey(`${JSON.stringify(algorithm)} ${readLatin1(key.whole)}`, () =>
      crypto.subtle.importKey('spki', key.whole, algorithm, false, ['verify']),
    )
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') refuse('malformed', String(error))
    throw error
  }
}

/** Documents of one issuer are signed with a few keys, and importing one takes longer than checking with it. */
const findKey = remember<CryptoKey>()

async function checkEcdsa(check: SignatureCheck, hash: string): Promise<boolean> {
  const [algorithm] = readChildren(check.publicKey, TAG.sequence)
  const curve = readOid(readChildren(algorithm, TAG.sequence)[1])
  const { namedCurve, bytes } = CURVES[curve] ?? refuse('cms_alg', `curve ${curve}`)
  const ecdsa = { name: 'ECDSA', namedCurve }
  const key = await importKey(check.publicKey, ecdsa)
  const raw = readEcdsaValue(check.signature, bytes)
  return crypto.subtle.verify({ name: 'ECDSA', hash }, key, raw, check.signed)
}

/**
 * Two integers in DER become two numbers of fixed width, as WebCrypto wants them. Both must be in their shortest form, or the
 * same signature could be written in several ways. RFC 5753 section 7.2, X.690 section 8.3.2.
 */
function readEcdsaValue(signature: Uint8Array<ArrayBuffer>, width: number): Uint8Array<ArrayBuffer> {
  const numbers = readChildren(readOnlyElement(signature), TAG.sequence)
  if (numbers.length !== 2) refuse('signature', 'ECDSA value')
  const raw = new Uint8Array(2 * width)
  for (const [i, element] of numbers.entries()) {
    const number = readContents(element, TAG.integer)
    const digits = number[0] === 0 ? number.subarray(1) : number
    const isShortest = digits.length > 0 && (number[0] === 0) === digits[0]! >= 0x80
    if (!isShortest || digits.length > width) refuse('signature', 'ECDSA value')
    raw.set(digits, (i + 1) * width - digits.length)
  }
  return raw
}
