import { PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import {
  makeStream,
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  registerObject,
  resolveObject,
} from './object-store.ts'
import type { Box } from './page-box.ts'

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

/**
 * Turns what a page draws into a form XObject, so that nothing it leaves behind (an unclosed `q`, a stray `Q`, a clipping
 * path, a matrix) reaches what is drawn after it. A page with a single stream is not even inflated.
 * @param taken Numbers of streams already turned into forms: a stream that two pages share is turned once for each.
 * @returns the form, undefined when the page draws nothing.
 */
export function isolateContent(store: ObjectStore, page: PdfDict, box: Box, taken: Set<number>): PdfRef | undefined {
  const parts = listContents(store, page.get('Contents'))
  const [first] = parts
  if (first === undefined) return undefined
  const resources = page.get('Resources') ?? new PdfDict()
  const entries: Record<string, PdfObject> = {
    Type: nameOf('XObject'),
    Subtype: nameOf('Form'),
    BBox: numbersOf(box),
    Resources: resources,
  }
  if (parts.length > 1) {
    const joined = joinContents(store, parts)
    if (joined !== undefined) return registerObject(store, makeStream(entries, joined))
    return registerObject(
      store,
      makeStream({ ...entries, Resources: nestParts(store, parts, entries) }, drawParts(parts)),
    )
  }
  const stream = first.stream
  if (first.number !== undefined && !taken.has(first.number)) {
    taken.add(first.number)
    for (const [key, value] of Object.entries(entries)) stream.set(key, value)
    return PdfRef.of(first.number, 0)
  }
  return registerObject(store, copyAsForm(stream, entries))
}

interface Part {
  stream: PdfStream
  /** Object number, undefined for the impossible direct stream. */
  number: number | undefined
}

function listContents(store: ObjectStore, contents: PdfObject | undefined): Part[] {
  const target = resolveObject(store, contents)
  if (target instanceof PdfArray) return [...target].flatMap((item) => listContents(store, item))
  if (!(target instanceof PdfStream)) return []
  return [{ stream: target, number: contents instanceof PdfRef ? contents.objectNumber : undefined }]
}

function copyAsForm(stream: PdfStream, entries: Record<string, PdfObject>): PdfStream {
  const copy = new PdfStream(new PdfDict(), stream.data)
  for (const key of ['Filter', 'DecodeParms']) {
    const value = stream.get(key)
    if (value !== undefined) copy.set(key, value)
  }
  for (const [key, value] of Object.entries(entries)) copy.set(key, value)
  return copy
}

/** Streams of one page are one text that may be cut between any two tokens (ISO 32000-2 section 7.8.2). */
function joinContents(store: ObjectStore, parts: Part[]): Uint8Array | undefined {
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
function decodeContent(store: ObjectStore, stream: PdfStream, maxBytes: number): Uint8Array | undefined {
  const filter = resolveObject(store, stream.get('Filter'))
  const filters = filter instanceof PdfArray ? [...filter] : filter === undefined ? [] : [filter]
  if (filters.length === 0) return stream.data.length <= maxBytes ? stream.data : undefined
  if (maxBytes <= 0) return undefined
  const [only] = filters
  const isPlainDeflate = filters.length === 1 && only instanceof PdfName && only.value === 'FlateDecode'
  try {
    if (isPlainDeflate && !stream.has('DecodeParms')) {
      return inflateSync(stream.data, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH })
    }
  } catch {
    // the parser keeps what comes before the fault, as readers do
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

/** Fallback: each part is a form of its own, drawn one after the other. Right whenever parts are cut between objects. */
function nestParts(store: ObjectStore, parts: Part[], entries: Record<string, PdfObject>): PdfDict {
  const forms = new PdfDict()
  for (const [i, { stream }] of parts.entries()) {
    forms.set(`Part${i}`, registerObject(store, copyAsForm(stream, { ...entries, FormType: numberOf(1) })))
  }
  return PdfDict.of({ XObject: forms })
}

function drawParts(parts: Part[]): string {
  return parts.map((_, i) => `/Part${i} Do\n`).join('')
}
