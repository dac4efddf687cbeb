import { joinBytes, type Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { SIGNATURE_BYTES } from '../log/ed25519.ts'
import { decodeCbor, encodeCbor, type CborMap } from './cbor.ts'

/** CBOR tag 18: a COSE_Sign1 follows. RFC 9052 section 2. */
const TAG = Uint8Array.of(0xd2)
/** RFC 9052 section 3.1. */
const HEADER = { algorithm: 1, keyId: 4 } as const
/** With Ed25519. RFC 9053 section 2.2. */
const EDDSA = -8
export const KEY_ID_BYTES = 8

/** What signs codes on paper. */
export interface PaperSigner {
  keyId: Bytes
  /** Ed25519. */
  sign(message: Bytes): Promise<Bytes>
}

/** A COSE_Sign1 that was taken apart; nothing in it was checked yet. */
export interface Sign1 {
  protectedHeader: Bytes
  payload: Bytes
  signature: Bytes
}

/**
 * Signs a payload: a COSE_Sign1 whose protected header has algorithm and key id, and whose unprotected header is empty.
 * @see RFC 9052 sections 4.2 and 4.4
 */
export async function formatSign1(payload: Bytes, { keyId, sign }: PaperSigner): Promise<Bytes> {
  const protectedHeader = encodeCbor(
    new Map<number, number | Bytes>([
      [HEADER.algorithm, EDDSA],
      [HEADER.keyId, keyId],
    ]),
  )
  const signature = await sign(listSignedBytes({ protectedHeader, payload }))
  return joinBytes(TAG, encodeCbor([protectedHeader, new Map(), payload, signature]))
}

/** Takes a COSE_Sign1 apart. @throws ProofError `paper`. */
export function parseSign1(bytes: Bytes): Sign1 {
  const parts = bytes[0] === TAG[0] ? decodeCbor(bytes.slice(TAG.length)) : undefined
  if (!Array.isArray(parts) || parts.length !== 4) return refuse('paper', 'no COSE_Sign1')
  const [protectedHeader, header, payload, signature] = parts as unknown[]
  if (!(header instanceof Map) || header.size > 0) return refuse('paper', 'unprotected header')
  if (![protectedHeader, payload, signature].every((part) => part instanceof Uint8Array)) {
    return refuse('paper', 'parts of a COSE_Sign1')
  }
  return { protectedHeader, payload, signature } as Sign1
}

/** Whose signature it says to be. @throws ProofError `paper` for any header but that of `formatSign1`. */
export function readKeyId({ protectedHeader, signature }: Sign1): Bytes {
  const header = decodeCbor(protectedHeader)
  const { size, algorithm, keyId } = readHeader(header instanceof Map ? (header as CborMap) : new Map())
  if (size !== 2 || algorithm !== EDDSA) return refuse('paper', 'algorithm')
  if (!(keyId instanceof Uint8Array) || keyId.length !== KEY_ID_BYTES) return refuse('paper', 'key id')
  if (signature.length !== SIGNATURE_BYTES) refuse('paper', 'length of the signature')
  return keyId
}

const readHeader = (header: CborMap) => ({
  size: header.size,
  algorithm: header.get(HEADER.algorithm),
  keyId: header.get(HEADER.keyId),
})

/** The bytes that are signed: Sig_structure without external data. RFC 9052 section 4.4. */
export function listSignedBytes({ protectedHeader, payload }: Pick<Sign1, 'protectedHeader' | 'payload'>): Bytes {
  return encodeCbor(['Signature1', protectedHeader, new Uint8Array(), payload])
}
