import { context, type DerElement, readContents, readOid, TAG } from '@proofdesk/proof/der'
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readFirst } from './bounded-der.ts'
import { type Algorithm, readAlgorithm } from './signed-data.ts'
import type { Judgement } from './types.ts'

/**
 * Hash functions by object identifier (RFC 5754 section 2, RFC 8702 section 2). Neither SHA-1 nor MD5: whoever wants to can
 * make two files of the same SHA-1, so such a signature proves nothing about this one of them, and is not judged.
 */
const HASHES: Record<string, string> = {
  '2.16.840.1.101.3.4.2.1': 'SHA256',
  '2.16.840.1.101.3.4.2.2': 'SHA384',
  '2.16.840.1.101.3.4.2.3': 'SHA512',
  '2.16.840.1.101.3.4.2.8': 'SHA3-256',
  '2.16.840.1.101.3.4.2.9': 'SHA3-384',
  '2.16.840.1.101.3.4.2.10': 'SHA3-512',
}

type Kind = 'rsa' | 'pss' | 'ec' | 'ed25519'

/** Hash null: the one that the CMS names beside it. RFC 5754 section 3, RFC 5758 section 3.2, RFC 4056, RFC 8419. */
const SIGNATURES: Record<string, { kind: Kind; hash: string | null }> = {
  '1.2.840.113549.1.1.1': { kind: 'rsa', hash: null },
  '1.2.840.113549.1.1.11': { kind: 'rsa', hash: 'SHA256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa', hash: 'SHA384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa', hash: 'SHA512' },
  '1.2.840.113549.1.1.10': { kind: 'pss', hash: null },
  '1.2.840.10045.4.3.2': { kind: 'ec', hash: 'SHA256' },
  '1.2.840.10045.4.3.3': { kind: 'ec', hash: 'SHA384' },
  '1.2.840.10045.4.3.4': { kind: 'ec', hash: 'SHA512' },
  '1.3.101.112': { kind: 'ed25519', hash: null },
}

const MGF1 = '1.2.840.113549.1.1.8'
const CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1'])
/** Shorter ones can be worked out (NIST SP 800-131A); longer ones only cost time. */
const RSA_BITS = { least: 2048, most: 16_384 }

/** Node's name of a hash function; undefined for those that are not judged. */
export function nameHash({ oid }: Algorithm): string | undefined {
  return HASHES[oid]
}

export interface SignatureValue {
  algorithm: Algorithm
  /** Node's name of the hash function that the CMS names beside it. */
  hash: string
  /** SubjectPublicKeyInfo, DER. */
  publicKey: Uint8Array
  signature: Uint8Array
  signed: Uint8Array
}

/** @throws ProofError `der` for parameters that cannot be read. */
export function judgeValue({ algorithm, hash: besides, publicKey, signature, signed }: SignatureValue): Judgement {
  const { kind, hash: own } = SIGNATURES[algorithm.oid] ?? {}
  const pss = kind === 'pss' ? readPss(algorithm.parameters) : undefined
  const key = parseKey(publicKey)
  if (!kind || !key || (kind === 'pss' && !pss)) return 'unknown'
  if (key.asymmetricKeyType !== kind && !(kind === 'pss' && isRsa(key))) return 'broken'
  if (!isStrong(key)) return 'unknown'
  const hash = kind === 'ed25519' ? null : (pss?.hash ?? own ?? besides)
  const padding = pss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: pss.saltLength }
  try {
    return verify(hash, signed, { key, ...padding }, signature) ? 'holds' : 'broken'
  } catch {
    return 'broken'
  }
}

function parseKey(publicKey: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

const isRsa = ({ asymmetricKeyType }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa' || asymmetricKeyType === 'rsa-pss'

function isStrong(key: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ec') return CURVES.has(namedCurve)
  return !isRsa(key) || (modulusLength >= RSA_BITS.least && modulusLength <= RSA_BITS.most)
}

/**
 * What is left out means SHA-1, which is not judged. Node takes one hash function for the content and the mask, and so does
 * everybody who signs. RFC 4055 section 3.1.
 */
function readPss(parameters: DerElement | undefined): { hash: string; saltLength: number } | undefined {
  const parts = readFirst(parameters, TAG.sequence, 4)
  const find = (n: number): DerElement | undefined => {
    const part = parts.find(({ tag }) => tag === context(n))
    return part && readFirst(part, context(n), 1)[0]
  }
  const [hashPart, maskPart, saltPart] = [find(0), find(1), find(2)]
  if (!hashPart || !maskPart) return undefined
  const hash = readAlgorithm(hashPart)
  const [mask, maskHash] = readFirst(maskPart, TAG.sequence, 2)
  const name = nameHash(hash)
  if (name === undefined || readOid(mask) !== MGF1 || readAlgorithm(maskHash).oid !== hash.oid) return undefined
  const salt = saltPart ? readContents(saltPart, TAG.integer) : Uint8Array.of(20)
  return salt.length > 2 ? undefined : { hash: name, saltLength: salt.reduce((sum, byte) => sum * 256 + byte, 0) }
}
