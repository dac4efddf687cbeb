import { readLatin1, type Bytes } from './bytes.ts'

/** Bytes: as far into a file as readers of PDFs look for its header. */
export const PDF_HEADER_WITHIN = 1024

/**
 * Whether a file begins as a PDF does; something may stand before its header.
 * @param start Its first `PDF_HEADER_WITHIN` bytes, or all of it.
 * @see ISO 32000-2 section 7.5.2
 */
export function hasPdfHeader(start: Bytes): boolean {
  return readLatin1(start, 0, PDF_HEADER_WITHIN).includes('%PDF-')
}
