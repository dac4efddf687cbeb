import type { Bytes } from '../bytes.ts'
import { hashSha256 } from '../sha256.ts'
import { encodeCbor } from './cbor.ts'
import { KEY_ID_BYTES } from './cose-sign1.ts'

/** Key type OKP and curve Ed25519. RFC 9053 sections 7.1 and 7.2. */
const OKP = 1
const ED25519 = 6

/** The first 64 bits of the key's thumbprint. RFC 9679 section 3. */
export function computePaperKeyId(publicKey: Bytes): Bytes {
  const key = encodeCbor(
    new Map<number, number | Bytes>([
      [1, OKP],
      [-1, ED25519],
      [-2, publicKey],
    ]),
  )
  return hashSha256(key).slice(0, KEY_ID_BYTES)
}
