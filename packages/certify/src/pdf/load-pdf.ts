import { PDF } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { guardDecoding, isDecodingBudgetExceeded, resetDecodingBudget } from './guard-decoding.ts'

/**
 * Reads a PDF that nobody vouches for. Files that open with the empty user password (owner password only) are taken.
 * @throws Refusal `password_protected`, `truncated`, `no_pages`, `too_many_pages`, `decompression_bomb` or `unreadable`.
 */
export async function loadPdf(bytes: Uint8Array, maxPages: number): Promise<PDF> {
  guardDecoding()
  resetDecodingBudget()
  const pdf = await loadOrRecover(bytes)
  if (isDecodingBudgetExceeded())
    throw new Refusal('decompression_bomb', 'a structural stream inflates beyond its bound')
  // the parser does not complain about a missing password: the pages would come out blank
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new Refusal('password_protected', 'needs a password')
  if (pdf.recoveredViaBruteForce && hasEncryptEntry(bytes)) {
    throw new Refusal('unreadable', 'an encrypted file with a broken cross-reference table: its text would be garbled')
  }
  const pages = pdf.getPageCount()
  if (!hasEnd(bytes) && (pdf.recoveredViaBruteForce || pages < countDeclaredPages(pdf))) {
    throw new Refusal('truncated', 'the end of the file is missing, and pages may be with it')
  }
  if (pages === 0) throw new Refusal('no_pages', 'no pages')
  if (pages > maxPages) throw new Refusal('too_many_pages', `${pages} pages`)
  return pdf
}

async function loadOrRecover(bytes: Uint8Array): Promise<PDF> {
  let firstFault: unknown
  try {
    const pdf = await PDF.load(bytes)
    if (pdf.getPageCount() > 0 || pdf.isEncrypted) return pdf
  } catch (error) {
    firstFault = error
  }
  if (isDecodingBudgetExceeded()) {
    throw new Refusal('decompression_bomb', 'a structural stream inflates beyond its bound', { cause: firstFault })
  }
  // A cross-reference section that cannot be read does not make the parser search for the objects; a startxref that leads
  // nowhere does.
  try {
    return await PDF.load(hideStartxref(bytes))
  } catch (error) {
    if (isDecodingBudgetExceeded()) {
      throw new Refusal('decompression_bomb', 'a structural stream inflates beyond its bound', { cause: error })
    }
    const reason = hasEnd(bytes) ? 'unreadable' : 'truncated'
    throw new Refusal(reason, 'no PDF structure found', { cause: firstFault ?? error })
  }
}

function hideStartxref(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf('startxref'); at >= 0; at = copy.indexOf('startxref', at + 9)) copy.write('xxxxxxxxx', at)
  return copy
}

function hasEncryptEntry(bytes: Uint8Array): boolean {
  return /\/Encrypt\b/.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
}

/** How far before the last byte that means something readers look for the end-of-file mark. */
const END_SEARCH_BYTES = 1024

function hasEnd(bytes: Uint8Array): boolean {
  let end = bytes.length
  while (end > 0 && bytes[end - 1]! <= 0x20) end--
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, end).subarray(Math.max(0, end - END_SEARCH_BYTES))
  return tail.includes('%%EOF')
}

/** /Count of the page tree's root: a claim, used only where something is wrong already. */
function countDeclaredPages(pdf: PDF): number {
  const tree = pdf.getCatalog().getDict('Pages', (ref) => pdf.getObject(ref))
  return tree?.getNumber('Count')?.value ?? 0
}
