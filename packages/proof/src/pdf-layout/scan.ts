import { readLatin1 } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { readCrossReferenceStream, readCrossReferenceTable, type Trailer } from './cross-reference.ts'
import { isName, isReference, isWholeNumber, type PdfDictionary, type PdfValue } from './objects.ts'
import { isAt, readValue, readWholeNumber, skipText, type Cursor } from './reader.ts'
import { findSlots, type Slots } from './slots.ts'

/** What the sealing update needs to know about revision 0: plain data of about 300 bytes, safe to keep as JSON. */
export interface Revision0Facts extends Trailer, Slots {
  /** Number of these rules. Another number means "made by a newer version", never "altered". */
  layout: 1
  /** Length of revision 0; the sealing update starts at this offset. */
  sizeBytes: number
  /** The update uses the same kind of cross-reference. */
  xrefKind: 'table' | 'stream'
  /** Byte offset of the cross-reference. */
  xrefOffset: number
  /** The trailer's /Size: the highest object number and 1. */
  size: number
}

const HEADER_BYTES = 15
/** What is looked up is kept: catalogs, forms and file specifications, which hold some dozens, and lists of a few hundred attachments. */
const MAX_RESOLVED_VALUES = 10_000

/**
 * Scans revision 0 in one forward pass: header, objects 1 to n back to back, cross-reference, end of file; nothing between
 * them, streams are stepped over by their direct /Length. It follows no /Prev and guesses nothing: a file is either laid
 * out in the one way this program writes it, or refused. Bytes after revision 0 are not looked at.
 * @throws ProofError `rev0_layout`, `rev0_slots`, `rev0_shadow`.
 * @see ISO 32000-2 section 7.5 (file structure)
 */
export function scanRevision0(bytes: Uint8Array): Revision0Facts {
  if (!/^%PDF-(1\.[0-7]|2\.0)\n%[\u0080-\u00ff]{4}\n$/.test(readLatin1(bytes, 0, HEADER_BYTES))) {
    refuse('rev0_layout', 'header')
  }
  const references = new Map<number, number>()
  const cursor: Cursor = { bytes, at: HEADER_BYTES, references }
  const offsets = [0]
  const nulls = new Set<number>()
  const stream = readObjects(cursor, offsets, nulls)
  const xrefOffset = stream ? (offsets.at(-1) ?? 0) : cursor.at
  const trailer = stream
    ? readCrossReferenceStream(stream.dictionary, stream.data, offsets)
    : readCrossReferenceTable(cursor, offsets)
  skipText(cursor, `startxref\n${xrefOffset}\n%%EOF\n`)
  // Each is read once: many may refer to one large object.
  const resolved = new Map<number, PdfValue | undefined>()
  const resolve = (value: PdfValue | undefined) => {
    if (!isReference(value)) return value
    if (!resolved.has(value.object)) resolved.set(value.object, readObject(bytes, offsets, value.object))
    return resolved.get(value.object)
  }
  const slots = findSlots({ size: offsets.length, references, nulls, resolve }, trailer.catalog)
  return {
    layout: 1,
    sizeBytes: cursor.at,
    xrefKind: stream ? 'stream' : 'table',
    xrefOffset,
    size: offsets.length,
    ...trailer,
    ...slots,
  }
}

interface StreamObject {
  dictionary: PdfDictionary
  data: Uint8Array
}

/**
 * Reads all objects, noting where each starts and which are null.
 * @returns The cross-reference stream, which is the last object, or undefined when a table follows.
 */
function readObjects(cursor: Cursor, offsets: number[], nulls: Set<number>): StreamObject | undefined {
  while (!isAt(cursor, 'xref\n')) {
    const start = cursor.at
    const object = readWholeNumber(cursor)
    if (object !== offsets.length) refuse('rev0_layout', `object ${object} where ${offsets.length} was due`)
    skipText(cursor, ' 0 obj\n')
    offsets.push(start)
    const value = readValue(cursor)
    // some readers take what it points at for a second cross-reference, and show other objects than were scanned (ISO 32000-2 Annex F)
    if (object === 1 && value instanceof Map && value.has('Linearized')) refuse('rev0_layout', 'linearized')
    if (value === null) nulls.add(object)
    const data = value instanceof Map && isAt(cursor, '\nstream\n') ? readStreamData(cursor, value, object) : undefined
    skipText(cursor, '\nendobj\n')
    if (value instanceof Map && data && isName(value.get('Type'), 'XRef')) return { dictionary: value, data }
  }
  return undefined
}

function readStreamData(cursor: Cursor, dictionary: PdfDictionary, object: number): Uint8Array {
  const length = dictionary.get('Length')
  if (!isWholeNumber(length)) return refuse('rev0_layout', `length of stream ${object}`)
  // objects packed into a stream would escape the scan
  if (isName(dictionary.get('Type'), 'ObjStm')) refuse('rev0_layout', `object stream ${object}`)
  skipText(cursor, '\nstream\n')
  const start = cursor.at
  cursor.at += length
  skipText(cursor, '\nendstream')
  return cursor.bytes.subarray(start, start + length)
}

function readObject(bytes: Uint8Array, offsets: readonly number[], object: number): PdfValue | undefined {
  const offset = object > 0 ? offsets[object] : undefined
  if (offset === undefined) return undefined
  const cursor: Cursor = { bytes, at: offset, mostValues: MAX_RESOLVED_VALUES }
  readWholeNumber(cursor)
  skipText(cursor, ' 0 obj\n')
  return readValue(cursor)
}
