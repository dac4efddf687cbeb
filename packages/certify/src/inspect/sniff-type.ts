import { fileTypeFromBuffer } from 'file-type'
import { Refusal } from '../errors.ts'
import { measureLead } from '../pdf/measure-lead.ts'
import type { DocumentType } from '../types.ts'

const TYPES: Record<string, DocumentType> = { 'application/pdf': 'PDF', 'image/jpeg': 'JPEG', 'image/png': 'PNG' }

/** Where readers still look for a PDF header (older PDF specifications, appendix H). */
const HEADER_SEARCH_BYTES = 1024

/** First bytes of images, as Latin-1. */
const SIGNATURES = { JPEG: '\xff\xd8\xff', PNG: '\x89PNG\r\n\x1a\n' } as const

/**
 * The type by the first bytes; the name says nothing. What the type is known by must be at offset 0: sniffing programs skip
 * marks and tags of other formats, and files that are two things at once begin with the other one. Before the header of a PDF
 * a byte-order mark and blank lines may stand, which begin nothing else.
 * @throws Refusal `empty`, `unsupported_type` or `header_not_at_start`.
 */
export async function sniffType(bytes: Uint8Array): Promise<DocumentType> {
  if (bytes.length === 0) throw new Refusal('empty', 'no bytes')
  const start = Buffer.from(bytes.subarray(0, HEADER_SEARCH_BYTES)).toString('latin1')
  const found = await fileTypeFromBuffer(bytes)
  // the library calls APNG a type of its own; it is a PNG whose first picture is what is certified
  const mime = found?.mime === 'image/apng' ? 'image/png' : found?.mime
  const type = mime === undefined ? undefined : TYPES[mime]
  // whatever the library says: it does not look behind blanks, and calls PDFs of drawing programs by the program's own type
  if (measureLead(bytes) !== undefined) return 'PDF'
  if (type !== undefined && type !== 'PDF' && start.startsWith(SIGNATURES[type])) return type
  if (type !== undefined || start.includes('%PDF-')) {
    throw new Refusal('header_not_at_start', 'the file begins as something else')
  }
  throw new Refusal('unsupported_type', 'neither PDF nor JPEG nor PNG')
}
