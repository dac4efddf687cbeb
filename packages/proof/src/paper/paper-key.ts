import { fromBase64Url, toBase64Url } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { PUBLIC_KEY_BYTES } from '../log/ed25519.ts'

/** As the policy of an instance has it: base64url of the 32 bytes. */
export function formatPaperKey(publicKey: Bytes): string {
  return toBase64Url(publicKey)
}

/** @returns undefined for what is no such key. */
export function parsePaperKey(text: string): Bytes | undefined {
  const bytes = fromBase64Url(text)
  return bytes?.length === PUBLIC_KEY_BYTES ? bytes : undefined
}
