import { fileTypeFromBuffer } from 'file-type'
import { Refusal } from '../errors.ts'
import type { DocumentType } from '../types.ts'

const TYPES: Record<string, DocumentType> = { 'application/pdf': 'PDF', 'image/jpeg': 'JPEG', 'image/png': 'PNG' }

/** Where readers still look for a PDF header (older PDF specifications, appendix H). */
const HEADER_SEARCH_BYTES = 1024

/**
 * The type by the first bytes; the name says nothing. A PDF's header must be at offset 0: files that are two things at
 * once begin with the other one.
 * @throws Refusal `empty`, `unsupported_type` or `header_not_at_start`.
 */
export async function sniffType(bytes: Uint8Array): Promise<DocumentType> {
  if (bytes.length === 0) throw new Refusal('empty', 'no bytes')
  const found = await fileTypeFromBuffer(bytes)
  // the library calls APNG a type of its own; it is a PNG whose first picture is what is certified
  const mime = found?.mime === 'image/apng' ? 'image/png' : found?.mime
  const type = mime === undefined ? undefined : TYPES[mime]
  const header = Buffer.from(bytes.subarray(0, HEADER_SEARCH_BYTES)).toString('latin1').indexOf('%PDF-')
  if (type === 'PDF' && header !== 0) throw new Refusal('header_not_at_start', `PDF header at byte ${header}`)
  if (type !== undefined) return type
  if (header === 0) return 'PDF'
  if (header > 0) throw new Refusal('header_not_at_start', `PDF header at byte ${header}`)
  throw new Refusal('unsupported_type', 'neither PDF nor JPEG nor PNG')
}
