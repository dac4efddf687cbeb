import { toHex, type Bytes } from './bytes.ts'
import { hashSha256 } from './sha256.ts'

/**
 * SHA-256 of a whole file, lower-case hex: the number by which certificates and the log call it. By WebCrypto where there is
 * one, which is faster; pages of plain http have none.
 * @see FIPS 180-4 section 6.2
 */
export async function hashFile(bytes: Bytes): Promise<string> {
  const { subtle } = globalThis.crypto as Partial<Crypto>
  return toHex(subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : hashSha256(bytes))
}
