import { PDF } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { hasHiddenRevision } from './hidden-revision.ts'
import { findLeadFault } from './check-lead.ts'
import { findLinearizationFault } from './check-linearization.ts'
import { type ListedPages, listPages, type SourcePage } from './list-pages.ts'
import { hasPlainPages, readEncryptionLeniently } from './read-encryption.ts'
import type { WatchedBytes } from './mend-syntax.ts'
import { mendTable } from './mend-table.ts'
import { freePlaceless } from './odd-entries.ts'
import { guardDecoding, checkDecodingBudget, resetDecodingBudget } from './guard-decoding.ts'

export interface LoadedPdf {
  pdf: PDF
  pages: SourcePage[]
}

/**
 * Reads a PDF that nobody vouches for. Files that open with the empty user password (owner password only) are taken.
 * @param bytes From the header on.
 * @param lead How many bytes stand before that, in the same memory.
 * @throws Refusal `ambiguous` where readers would find other pages, or objects of another revision; `password_protected`, `truncated`,
 * `no_pages`, `too_many_pages`, `decompression_bomb`, `too_much_memory` or `unreadable`.
 */
export async function loadPdf(bytes: WatchedBytes, maxPages: number, lead = 0): Promise<LoadedPdf> {
  guardDecoding()
  readEncryptionLeniently()
  resetDecodingBudget()
  const { pdf, pages, declared, fault } = await loadOrRecover(bytes, maxPages)
  checkDecodingBudget()
  // the parser does not complain about a missing password: the pages would come out blank
  if (pdf.isEncrypted && !pdf.isAuthenticated && !hasPlainPages(pdf))
    throw new Refusal('password_protected', 'needs a password')
  if (pdf.recoveredViaBruteForce && hasEncryptEntry(bytes)) {
    throw new Refusal('unreadable', 'an encrypted file with a broken cross-reference table: its text would be garbled')
  }
  if (pages.length > maxPages) throw new Refusal('too_many_pages', `more than ${maxPages} pages`)
  if (!hasEnd(bytes) && (pdf.recoveredViaBruteForce || pages.length < declared)) {
    throw new Refusal('truncated', 'the end of the file is missing, and pages may be with it')
  }
  if (pages.length === 0) throw new Refusal('no_pages', 'no pages')
  const file = Buffer.from(bytes.buffer, bytes.byteOffset - lead, bytes.byteLength + lead)
  const disagreement =
    fault ?? findLinearizationFault(bytes, pages, lead) ?? findLeadFault(file, lead, pdf.recoveredViaBruteForce)
  if (disagreement !== undefined) throw new Refusal('ambiguous', disagreement)
  if (pdf.recoveredViaBruteForce && hasHiddenRevision(pdf, bytes)) {
    throw new Refusal('ambiguous', 'a broken cross-reference table, and a revision that would be left out')
  }
  return { pdf, pages }
}

async function loadOrRecover(bytes: WatchedBytes, maxPages: number): Promise<LoadedPdf & ListedPages> {
  freePlaceless(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const { strays } = bytes
  let firstFault: unknown
  try {
    let pdf = await PDF.load(bytes)
    if (pdf.recoveredViaBruteForce && separateObjects(bytes) > 0) pdf = await PDF.load(bytes)
    // who searches for objects, as the parser does then, does not decrypt them
    if (pdf.recoveredViaBruteForce && hasEncryptEntry(bytes) && mendTable(bytes)) pdf = await PDF.load(bytes)
    const listed = listPages(pdf, maxPages)
    // a tree that can be read and lies is not searched for another one: readers show this one
    const isWhole = listed.pages.length > 0 && !listed.isIncomplete
    if (pdf.isEncrypted || isWhole) return { pdf, ...listed }
  } catch (error) {
    firstFault = error
  }
  checkDecodingBudget()
  // it was misread, and is tried again from the start
  if (bytes.strays > strays) throw new Refusal('unreadable', 'no PDF syntax', { cause: firstFault })
  // A cross-reference section that cannot be read does not make the parser search for the objects; a startxref that leads
  // nowhere does.
  try {
    hideStartxref(bytes)
    separateObjects(bytes)
    const pdf = await PDF.load(bytes)
    return { pdf, ...listPages(pdf, maxPages) }
  } catch (error) {
    checkDecodingBudget()
    if (error instanceof Refusal) throw error
    // where even the list of objects is encrypted, the parser finds none
    const isLocked = hasEncryptEntry(bytes)
    const reason = !hasEnd(bytes) ? 'truncated' : isLocked ? 'password_protected' : 'unreadable'
    throw new Refusal(reason, 'no PDF structure found', { cause: firstFault ?? error })
  }
}

/** A table of objects that nothing leads to makes the parser search for them. */
function hideStartxref(bytes: Uint8Array): void {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = whole.indexOf('startxref'); at >= 0; at = whole.indexOf('startxref', at + 9))
    whole.write('xxxxxxxxx', at)
}

/**
 * Who searches for objects, as the parser does then, finds them only behind white space. Programs that add a revision do
 * not always write it behind the end of the file or object before: the revision would be left out without a word.
 * @returns how many places were changed.
 */
function separateObjects(bytes: Uint8Array): number {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let changed = 0
  for (const mark of ['%%EOF', 'endobj']) {
    for (let at = whole.indexOf(mark); at >= 0; at = whole.indexOf(mark, at + mark.length)) {
      const end = at + mark.length
      if (!/^\d+\s+\d+\s+obj/.test(whole.toString('latin1', end, end + 24))) continue
      whole[end - 1] = 0x0a
      changed += 1
    }
  }
  return changed
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
