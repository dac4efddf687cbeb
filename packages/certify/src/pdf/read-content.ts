import { PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { inflateUnchecked } from './inflate-unchecked.ts'
import { type ObjectStore, type PdfObject, resolveObject } from './object-store.ts'

const TEXT_FILTERS = new Set([
  'FlateDecode',
  'Fl',
  'LZWDecode',
  'LZW',
  'ASCII85Decode',
  'A85',
  'ASCIIHexDecode',
  'AHx',
  'RunLengthDecode',
  'RL',
])

/** Contents of one page, inflated, when it comes in several streams that must be joined. */
const MAX_CONTENT_BYTES = 128 << 20

/** One of the streams that a page's content comes in. */
export interface Part {
  stream: PdfStream
  /** Object number, undefined for the impossible direct stream. */
  number: number | undefined
}

export function listContents(store: ObjectStore, contents: PdfObject | undefined): Part[] {
  const target = resolveObject(store, contents)
  if (target instanceof PdfArray) return [...target].flatMap((item) => listContents(store, item))
  if (!(target instanceof PdfStream)) return []
  return [{ stream: target, number: contents instanceof PdfRef ? contents.objectNumber : undefined }]
}

/** Streams of one page are one text that may be cut between any two tokens (ISO 32000-2 section 7.8.2). */
export function joinContents(store: ObjectStore, parts: Part[]): Uint8Array | undefined {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for (const { stream } of parts) {
    const piece = decodeContent(store, stream, MAX_CONTENT_BYTES - bytes)
    if (piece === undefined) return undefined
    bytes += piece.length + 1
    pieces.push(piece, Buffer.from('\n'))
  }
  return Buffer.concat(pieces)
}

/** Undefined when it uses a filter that content hardly ever has, is broken, or is too long. */
export function decodeContent(store: ObjectStore, stream: PdfStream, maxBytes: number): Uint8Array | undefined {
  const filter = resolveObject(store, stream.get('Filter'))
  const listed = filter instanceof PdfArray ? [...filter] : filter === undefined ? [] : [filter]
  const filters = listed.map((item) => resolveObject(store, item) ?? item)
  if (filters.length === 0) return stream.data.length <= maxBytes ? stream.data : undefined
  if (maxBytes <= 0) return undefined
  const [only] = filters
  const isPlainDeflate = filters.length === 1 && only instanceof PdfName && only.value === 'FlateDecode'
  try {
    if (isPlainDeflate && !stream.has('DecodeParms')) {
      return inflateSync(stream.data, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    const inflated = inflateUnchecked(stream.data, maxBytes)
    if (inflated !== undefined) return inflated
    // the parser keeps what comes before the fault
  }
  return decodeSlowly(store, stream, filters, maxBytes)
}

/** Any chain of filters that text may have, by the parser's own means and within its bounds. */
function decodeSlowly(
  store: ObjectStore,
  stream: PdfStream,
  filters: readonly PdfObject[],
  maxBytes: number,
): Uint8Array | undefined {
  const isText = filters.every((filter) => filter instanceof PdfName && TEXT_FILTERS.has(filter.value))
  const plain = new PdfStream(new PdfDict(), stream.data)
  plain.set('Filter', new PdfArray([...filters]))
  const parameters = resolveObject(store, stream.get('DecodeParms'))
  if (parameters !== undefined) plain.set('DecodeParms', parameters)
  try {
    const decoded = isText ? plain.getDecodedData() : undefined
    return decoded !== undefined && decoded.length <= maxBytes ? decoded : undefined
  } catch {
    return undefined
  }
}
