import type { PdfRef, PdfStream } from '@libpdf/core'
import { findHead } from './check-place.ts'

/** Entries of classic tables (ISO 32000-2 section 7.5.4) about which readers do not agree, by number of the object. */
export type OddEntries = ReadonlyMap<number, { generation: number; offset: number; isHybrid: boolean }>

const SECTION = /\s*(\d{1,8})[ ]+(\d{1,8})\s*/y
const ENTRY = /(\d{10}) (\d{5}) ([nf])\s{0,2}/y
/** A trailer is short. */
const TRAILER_BYTES = 2000

/**
 * Entries with a generation other than 0, and those of tables with a stream of entries beside them: the parser believes the
 * stream, the reviewer's reader the table. Of several tables the last in the file counts.
 */
export function listOddEntries(whole: Buffer): OddEntries {
  const odd = new Map<number, { generation: number; offset: number; isHybrid: boolean }>()
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
    noteEntries(whole.toString('latin1', at + 4, next < 0 ? end : Math.min(end, next)), isHybrid, odd)
  }
  return odd
}

function noteEntries(
  table: string,
  isHybrid: boolean,
  odd: Map<number, { generation: number; offset: number; isHybrid: boolean }>,
) {
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
      at = ENTRY.lastIndex
      odd.delete(number)
      if (entry[3] !== 'n' || (entry[2] === '00000' && !isHybrid)) continue
      odd.set(number, { offset: Number(entry[1]), generation: Number(entry[2]), isHybrid })
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
