import { readLatin1, writeLatin1, type Bytes } from './bytes.ts'

/** Base 64 with the letters `+` and `/`, and padding. RFC 4648 section 4. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(readLatin1(bytes))
}

/**
 * Reads base 64 in its one form: padded, nothing between the letters, unused bits zero.
 * @returns undefined for any other text.
 * @see RFC 4648 sections 3.5 and 4
 */
export function fromBase64(text: string): Bytes | undefined {
  const bytes = fromLooseBase64(text)
  return bytes && toBase64(bytes) === text ? bytes : undefined
}

/** As `fromBase64`, whatever the unused bits are: for texts that others write. RFC 4648 section 3.5. */
export function fromLooseBase64(text: string): Bytes | undefined {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? writeLatin1(atob(text)) : undefined
}

/** Base 64 with the letters `-` and `_`, without padding. RFC 4648 section 5. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Reads base64url in its one form, without padding. @returns undefined for any other text. RFC 4648 section 5. */
export function fromBase64Url(text: string): Bytes | undefined {
  if (text.length % 4 === 1 || !/^[A-Za-z0-9_-]*$/.test(text)) return undefined
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4, '=')
  return fromBase64(padded.replaceAll('-', '+').replaceAll('_', '/'))
}
