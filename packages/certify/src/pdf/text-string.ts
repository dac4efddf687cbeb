import type { PdfString } from '@libpdf/core'

/** Stands before and behind the name of a language within Unicode (ISO 32000-2 section 7.9.2.2). */
const ESCAPE = '\u001b'

/** A text string by its byte-order mark, as ISO 32000-2 section 7.9.2.2 has it; the parser knows no UTF-8, nor UTF-16 from its small end. */
export function readTextString(string: PdfString): string {
  const bytes = Buffer.from(string.bytes)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return dropLanguage(bytes.toString('utf8', 3))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return dropLanguage(bytes.toString('utf16le', 2))
  const text = string.asString()
  return bytes[0] === 0xfe && bytes[1] === 0xff ? dropLanguage(text) : text
}

const dropLanguage = (text: string): string =>
  text
    .split(ESCAPE)
    .filter((_, i) => i % 2 === 0)
    .join('')
