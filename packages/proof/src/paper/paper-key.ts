import { fromBase64Url, toBase64Url } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { PUBLIC_KEY_BYTES } from '../log/ed25519.ts'
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

/** As the policy of an instance has it: base64url of the 32 bytes. */
export function formatPaperKey(publicKey: Bytes): string {
  return toBase64Url(publicKey)
}

/** @returns undefined for what is no such key. */
export function parsePaperKey(text: string): Bytes | undefined {
  const bytes = fromBase64Url(text)
  return bytes?.length === PUBLIC_KEY_BYTES ? bytes : undefined
}
