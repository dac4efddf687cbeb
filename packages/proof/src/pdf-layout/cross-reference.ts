import { toHex, writeLatin1 } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { isReference, isWholeNumber, mustArray, mustDictionary, type PdfDictionary } from './objects.ts'
import { readValue, skipText, type Cursor } from './reader.ts'

/** What the trailer of revision 0 says. */
export interface Trailer {
  /** Object number of the catalog. */
  catalog: number
  /** Object number of the document information dictionary. */
  info: number | null
  /** First half of the file identifier, 32 hex digits. ISO 32000-2 section 14.4. */
  id: string
}

/** No Prev, XRefStm or Encrypt: nothing leads a reader past what was scanned. */
const TRAILER_KEYS = ['Size', 'Root', 'Info', 'ID']
const STREAM_KEYS = [...TRAILER_KEYS, 'Type', 'W', 'Length']

/**
 * Reads a cross-reference table and its trailer, which must list exactly the objects found. ISO 32000-2 section 7.5.4.
 * @param offsets Byte offset of every object, by number; the first entry stands for object 0.
 * @throws ProofError `rev0_layout`.
 */
export function readCrossReferenceTable(cursor: Cursor, offsets: readonly number[]): Trailer {
  skipText(cursor, `xref\n0 ${offsets.length}\n0000000000 65535 f\r\n`)
  for (const offset of offsets.slice(1)) skipText(cursor, `${String(offset).padStart(10, '0')} 00000 n\r\n`)
  skipText(cursor, 'trailer\n')
  const trailer = mustDictionary(readValue(cursor), TRAILER_KEYS, 'rev0_layout', 'trailer')
  skipText(cursor, '\n')
  return readTrailer(trailer, offsets.length)
}

/**
 * Checks an uncompressed cross-reference stream in the same way. ISO 32000-2 section 7.5.8.
 * @param data The stream's bytes.
 * @throws ProofError `rev0_layout`.
 */
export function readCrossReferenceStream(
  dictionary: PdfDictionary,
  data: Uint8Array,
  offsets: readonly number[],
): Trailer {
  mustDictionary(dictionary, STREAM_KEYS, 'rev0_layout', 'cross-reference stream')
  const [type, offset, generation, ...more] = mustArray(dictionary.get('W'), 'rev0_layout', '/W')
  if (
    type !== 1 ||
    !isWholeNumber(offset) ||
    offset > 6 ||
    !isWholeNumber(generation) ||
    generation > 2 ||
    more.length > 0
  ) {
    return refuse('rev0_layout', 'field widths of the cross-reference stream')
  }
  const width = 1 + offset + generation
  if (data.length !== width * offsets.length) refuse('rev0_layout', 'length of the cross-reference stream')
  for (const [object, due] of offsets.entries()) {
    const entry = data.subarray(object * width, (object + 1) * width)
    // entry 0 heads the list of free objects; what else it holds nobody reads
    const isRight =
      object === 0
        ? entry[0] === 0
        : entry[0] === 1 && readNumber(entry, 1, offset) === due && readNumber(entry, 1 + offset, generation) === 0
    if (!isRight) refuse('rev0_layout', `cross-reference entry of object ${object}`)
  }
  return readTrailer(dictionary, offsets.length)
}

function readTrailer(trailer: PdfDictionary, size: number): Trailer {
  const [root, info] = [trailer.get('Root'), trailer.get('Info')]
  const [id, second, ...more] = mustArray(trailer.get('ID'), 'rev0_layout', '/ID')
  if (trailer.get('Size') !== size) return refuse('rev0_layout', 'trailer /Size')
  if (!isReference(root)) return refuse('rev0_layout', 'trailer /Root')
  if (info !== undefined && !isReference(info)) return refuse('rev0_layout', 'trailer /Info')
  if (typeof id !== 'string' || id.length !== 16 || typeof second !== 'string' || more.length > 0) {
    return refuse('rev0_layout', 'trailer /ID')
  }
  return { catalog: root.object, info: info?.object ?? null, id: toHex(writeLatin1(id)) }
}

/** Big-endian. */
function readNumber(bytes: Uint8Array, start: number, length: number): number {
  return bytes.subarray(start, start + length).reduce((number, byte) => number * 256 + byte, 0)
}
