import { joinBytes, type Bytes } from './bytes.ts'
import { hashSha256 } from './sha256.ts'

/** Bytes that SHA-256 takes at once. */
const BLOCK_BYTES = 64

/** HMAC with SHA-256, 32 bytes. @param key At most 64 bytes. RFC 2104 section 2. */
export function computeHmacSha256(key: Uint8Array, message: Uint8Array): Bytes {
  const pad = (mask: number) => Uint8Array.from({ length: BLOCK_BYTES }, (_, i) => (key[i] ?? 0) ^ mask)
  return hashSha256(joinBytes(pad(0x5c), hashSha256(joinBytes(pad(0x36), message))))
}
