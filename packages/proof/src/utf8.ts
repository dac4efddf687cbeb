import type { Bytes } from './bytes.ts'

/** A text with lone surrogates has no UTF-8; the readers of texts refuse it before it comes here. */
export function writeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** The text of these bytes, a leading byte order mark included. @returns undefined where they are no UTF-8. RFC 3629. */
export function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
