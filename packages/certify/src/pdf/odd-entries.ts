import type { PdfRef, PdfStream } from '@libpdf/core'
import { findHead } from './check-place.ts'

/** Entries of classic tables (ISO 32000-2 section 7.5.4) about which readers do not agree, by number of the object. */
export type OddEntries = ReadonlyMap<number, { generation: number; offset: number; isHybrid: boolean }>

const SECTION = /\s*(\d{1,8})[ ]+(\d{1,8})\s*/y
const ENTRY = /(\d{10}) (\d{5}) ([nf])\s{0,2}/y
/** Of an entry, before its letter. */
const LETTER = 17
/** A trailer is short. */
const TRAILER_BYTES = 2000

/** One entry of a classic table. */
interface TableEntry {
  number: number
  generation: number
  offset: number
  isFree: boolean
  /** Its table has a stream of entries beside it. */
  isHybrid: boolean
  /** Where its letter stands in the file. */
  letterAt: number
}

/**
 * Entries with a generation other than 0, and those of tables with a stream of entries beside them: the parser believes the
 * stream, the reviewer's reader the table. Of several tables the last in the file counts.
 */
export function listOddEntries(whole: Buffer): OddEntries {
  const odd = new Map<number, { generation: number; offset: number; isHybrid: boolean }>()
  for (const { number, generation, offset, isFree, isHybrid } of walkTables(whole)) {
    odd.delete(number)
    if (!isFree && (generation > 0 || isHybrid)) odd.set(number, { generation, offset, isHybrid })
  }
  return odd
}

/**
 * Marks entries as free that say an object stands at the first byte, where the header is: macOS writes so of objects that are not
 * there. Readers find nothing by them; the parser would take the first object of the file.
 */
export function freePlaceless(whole: Buffer): void {
  if (!whole.includes(PLACELESS)) return
  for (const { offset, isFree, letterAt } of walkTables(whole)) if (offset === 0 && !isFree) whole[letterAt] = FREE
}

const PLACELESS = '0000000000 00000 n'
const FREE = 0x66

function* walkTables(whole: Buffer): Generator<TableEntry> {
  let end = -1
  let isHybrid = false
  // a table ends where the next word begins: a file of nothing but such words is read once
  for (let at = whole.indexOf('xref'), next; at >= 0; at = next) {
    next = whole.indexOf('xref', at + 4)
    if (at > 0 && whole[at - 1]! > 0x20) continue
    if (end < at) {
      end = whole.indexOf('trailer', at)
      if (end < 0) break
      isHybrid = whole.subarray(end, end + TRAILER_BYTES).includes('/XRefStm')
    }
    yield* walkTable(whole, at + 4, next < 0 ? end : Math.min(end, next), isHybrid)
  }
}

function* walkTable(whole: Buffer, start: number, end: number, isHybrid: boolean): Generator<TableEntry> {
  const table = whole.toString('latin1', start, end)
  let at = 0
  for (;;) {
    SECTION.lastIndex = at
    const section = SECTION.exec(table)
    if (section === null) return
    at = SECTION.lastIndex
    let number = Number(section[1])
    for (let left = Number(section[2]); left > 0; left--, number++) {
      ENTRY.lastIndex = at
      const entry = ENTRY.exec(table)
      if (entry === null) return
      const [offset, generation] = [Number(entry[1]), Number(entry[2])]
      yield { number, generation, offset, isFree: entry[3] === 'f', isHybrid, letterAt: start + at + LETTER }
      at = ENTRY.lastIndex
    }
  }
}

/** Whether the parser took a stream from elsewhere, or by another generation, than its entry says. */
export function isReadOtherwise(stream: PdfStream, ref: PdfRef, file: Buffer, odd: OddEntries): boolean {
  const entry = odd.get(ref.objectNumber)
  if (entry === undefined) return false
  if (entry.generation !== ref.generation) return true
  const head = entry.isHybrid ? findHead(stream, file) : undefined
  return head !== undefined && Math.abs(head.place - entry.offset) > MOST_BLANKS
}

/** Entries often point to the line break before an object, or a little beside it. */
const MOST_BLANKS = 4
