import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { checkPredictor } from '../pdf/check-predictor.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { createObjectStore, type PdfObject, readNumber } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { checkAscii85, checkHexDigits } from './check-letters.ts'

/**
 * Those of table 6 in ISO 32000-2, but for `Crypt`, which says how data are encrypted, and the copy is not. Some readers take the data
 * of others as they are.
 */
const FILTERS = new Set(
  ['ASCIIHexDecode', 'ASCII85Decode', 'LZWDecode', 'FlateDecode', 'RunLengthDecode'].concat([
    'AHx',
    'A85',
    'LZW',
    'Fl',
    'RL',
  ]),
)
const IMAGE_FILTERS = new Set(['CCITTFaxDecode', 'CCF', 'JBIG2Decode', 'DCTDecode', 'DCT', 'JPXDecode'])
const HEX_FILTERS = new Set(['ASCIIHexDecode', 'AHx'])
/** What stands between two filters. */
const MAX_LETTER_BYTES = 64 << 20
const LETTER_FILTERS = new Set(['ASCII85Decode', 'A85', ...HEX_FILTERS])

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Looks at how the data of a stream are packed.
 * @throws Refusal `unreadable` where readers would not unpack the same.
 */
export function checkFilters(stream: PdfStream, resolve: Resolve): void {
  // a name for images among operators, which some readers heed everywhere
  if (stream.has('DP')) throw new Disagreement('a stream that only some readers unpack')
  const filters = listFilters(stream, resolve)
  if (filters.slice(0, -1).some((label) => !FILTERS.has(label)))
    throw new Refusal('unreadable', 'a stream in an unknown compression')
  checkLetters(stream, filters)
  checkParameters(stream, resolve)
  const last = filters.at(-1)
  const subtype = resolve(stream.get('Subtype'))
  const isImage = subtype instanceof PdfName && subtype.value === 'Image'
  if (!isImage) checkData(stream, filters, resolve)
  if (last === undefined || FILTERS.has(last)) return
  if (!IMAGE_FILTERS.has(last)) throw new Refusal('unreadable', 'a stream in an unknown compression')
  if (!isImage)
    throw new Disagreement('what is no image in the compression of one: some readers unpack it, others do not')
}

/** @throws Refusal `unreadable`. */
function checkData(stream: PdfStream, filters: readonly string[], resolve: Resolve): void {
  const entry = resolve(stream.get('DecodeParms'))
  for (const parameters of entry instanceof PdfArray ? [...entry].map(resolve) : [entry])
    if (parameters instanceof PdfDict && filters.length > 0) checkPredictor(parameters, resolve)
}

/** They may be packed once more, as other data are. */
function checkLetters({ data }: PdfStream, filters: readonly string[]): void {
  for (const [i, label] of filters.entries()) {
    if (!LETTER_FILTERS.has(label)) continue
    const letters = i === 0 ? data : unpackLetters(data, filters.slice(0, i))
    if (HEX_FILTERS.has(label)) checkHexDigits(letters)
    else checkAscii85(letters)
  }
}

function unpackLetters(data: Uint8Array, filters: readonly string[]): Uint8Array {
  const packed = new PdfStream(new PdfDict(), data)
  packed.set('Filter', new PdfArray(filters.map((label) => PdfName.of(label))))
  const letters = decodeContent(createObjectStore(), packed, MAX_LETTER_BYTES)
  if (letters === undefined) throw new Refusal('unreadable', 'letters that cannot be unpacked')
  return letters
}

/** How early codes of LZW grow longer is one or nothing (ISO 32000-2 table 8). */
function checkParameters(stream: PdfStream, resolve: Resolve): void {
  const entry = resolve(stream.get('DecodeParms'))
  for (const parameters of entry instanceof PdfArray ? [...entry].map(resolve) : [entry]) {
    if (!(parameters instanceof PdfDict) || !parameters.has('EarlyChange')) continue
    if (![0, 1].includes(readNumber(parameters.get('EarlyChange'), resolve) ?? 1))
      throw new Disagreement('a stream whose codes grow longer at an odd place')
  }
}
