import { PdfArray, PdfBool, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { checkPredictor, type PredictedRows } from '../pdf/check-predictor.ts'
import { inflateUntilFault } from '../pdf/inflate-unchecked.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import {
  makeStream,
  nameOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  readNumbers,
  resolveObject,
} from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { checkRange } from './check-range.ts'
import { countComponents } from './count-components.ts'
import { makePalette, type Palette, readPalette } from './read-palette.ts'
import { isPalette, readSpaceName } from './read-space-name.ts'

/** What passes `checkObjects` has at most so many. */
const MAX_IMAGE_BYTES = 512 << 20
/** Beyond, an image without most of its data is a trap. */
const MOST_FILLED_BYTES = 128 << 20
/** What programs pad their data with. */
const SPARE_BYTES = 1 << 20
/** Other filters know no predictors. */
const PREDICTING = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW'])
/** ISO 32000-2 table 87. */
const DEPTHS = new Set([1, 2, 4, 8, 16])
/** Of a palette. */
const LAST_PLACE = 255
/** The highest type of a row that PNG knows (its specification, section 9.2). */
const LAST_ROW_TYPE = 4

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

interface Samples {
  width: number
  height: number
  bits: number
  components: number
  isStencil: boolean
}

/**
 * Makes an image whose data are samples whole: what is missing of its data, colours or range each reader makes up otherwise (ISO 32000-2
 * section 8.9.5).
 * @throws Refusal `unreadable`.
 */
export function settleSamples(store: ObjectStore, image: PdfStream): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const [width, height] = ['Width', 'Height'].map((key) => readNumber(image.get(key), resolve) ?? 0) as [number, number]
  if (!(width >= 1 && height >= 1)) return
  const isStencil = isTrue(resolve(image.get('ImageMask')))
  for (const key of isStencil ? ['Mask', 'SMask'] : []) image.delete(key)
  if (!isStencil && image.get('ColorSpace') === undefined) image.set('ColorSpace', nameOf('DeviceGray'))
  const bits = isStencil ? 1 : readNumber(image.get('BitsPerComponent'), resolve)
  const components = isStencil ? 1 : countComponents(resolve(image.get('ColorSpace')), resolve)
  if (bits !== undefined && !DEPTHS.has(bits)) throw new Disagreement('an image of samples of odd depth')
  if (components === undefined) return
  if (isPalette(image.get('ColorSpace'), resolve)) checkPalette(store, image, bits)
  settleRange(store, image, { width, height, bits: bits ?? 8, components, isStencil })
  if (bits !== undefined) fillUp(store, image, { width, height, bits, components, isStencil })
}

const isTrue = (object: PdfObject | undefined): boolean => object instanceof PdfBool && object.value

/** Of stencils it says which samples are painted, of palettes which colour a sample means; of others it must have the right length. */
function settleRange(store: ObjectStore, image: PdfStream, { bits, components, isStencil }: Samples): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const palette = readPalette(store, image.get('ColorSpace'))
  if (!isStencil && palette === undefined) {
    if (readNumbers(image.get('Decode'), resolve)?.length !== 2 * components) image.delete('Decode')
    checkRange(image, bits, resolve)
  }
  if (!image.has('Decode')) return
  const range = readNumbers(image.get('Decode'), resolve)
  const isWhole = range?.length === 2 * components
  if (isStencil) {
    if (range !== undefined && range[0]! > 0) image.set('Decode', numbersOf([1, 0]))
    else image.delete('Decode')
  } else if (!isWhole) image.delete('Decode')
  else if (palette !== undefined) settlePalette(image, palette, range, bits)
}

/** @throws Refusal for one that has no colours, or places beyond those that it can have (ISO 32000-2 section 8.6.6.3). */
function checkPalette(store: ObjectStore, image: PdfStream, bits: number | undefined): void {
  const palette = readPalette(store, image.get('ColorSpace'))
  if (palette === undefined || palette.last > LAST_PLACE || (bits ?? 8) > 8)
    throw new Disagreement('a palette that is none')
  const base = readSpaceName(palette.base, (object) => resolveObject(store, object))
  if (base === 'Indexed' || base === 'Pattern') throw new Disagreement('a palette of a palette, or of patterns')
}

/** @throws Refusal for any but the usual range, and its reverse for samples of one bit. */
function settlePalette(image: PdfStream, palette: Palette, range: readonly number[], bits: number): void {
  const { base, components, last, colours } = palette
  const [from, to] = range as [number, number]
  const isUsual = from === 0 && to === 2 ** bits - 1
  const isReversed = from === 1 && to === 0 && bits === 1 && last === 1 && colours.length >= 2 * components
  if (!isUsual && !isReversed) throw new Disagreement('a palette whose range readers do not agree about')
  image.delete('Decode')
  if (isUsual) return
  const [first, second] = [colours.subarray(0, components), colours.subarray(components, 2 * components)]
  image.set('ColorSpace', makePalette(base, 1, Buffer.concat([second, first])))
}

/**
 * Samples that are missing are not painted by a stencil, and are black else, as most readers show them.
 * @throws Refusal where rows are of a type that there is not, or too much is missing.
 */
function fillUp(store: ObjectStore, image: PdfStream, samples: Samples): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const rowBytes = Math.ceil((samples.width * samples.components * samples.bits) / 8)
  const bytes = rowBytes * samples.height
  // `checkObjects` refuses it
  if (bytes > MAX_IMAGE_BYTES) return
  const predicted = readPredicted(image, resolve)
  const isPredicted = predicted !== undefined
  if (isPredicted && isPredictedWhole(store, image, predicted, samples)) return
  const most = isPredicted ? MAX_IMAGE_BYTES : bytes + SPARE_BYTES
  const found = decodeContent(store, image, most)
  if (found === undefined || (found.length >= bytes && !isPredicted)) return
  if (found.length < bytes && bytes > MOST_FILLED_BYTES)
    throw new Refusal('unreadable', 'a large image without most of its data')
  const data = found.length < bytes ? addUntilFault(store, image, found, most) : found
  const whole = Buffer.alloc(bytes, isEmptyHigh(image, samples, resolve) ? 0xff : 0)
  whole.set(data.subarray(0, bytes))
  replaceData(image, whole)
}

/** @returns of data with a fault within all that comes before it: the parser keeps less. */
function addUntilFault(store: ObjectStore, image: PdfStream, found: Uint8Array, maxBytes: number): Uint8Array {
  const isPlain = listFilters(image, (object) => resolveObject(store, object)).join() === 'FlateDecode'
  if (!isPlain || image.has('DecodeParms')) return found
  const before = inflateUntilFault(image.data, maxBytes)
  return before.length > found.length ? before : found
}

/** Whether bits that are set mean no paint for a stencil, and all ink for inks. */
function isEmptyHigh(image: PdfStream, { isStencil, components }: Samples, resolve: Resolve): boolean {
  if (isStencil) return readNumbers(image.get('Decode'), resolve)?.[0] !== 1
  const space = resolve(image.get('ColorSpace'))
  const name = space instanceof PdfArray ? resolve(space.at(0)) : space
  return components === 4 || (name instanceof PdfName && (name.value === 'Separation' || name.value === 'DeviceN'))
}

/** Undefined where its rows are as they are. */
function readPredicted(image: PdfStream, resolve: Resolve): { rows: PredictedRows; parms: PdfDict } | undefined {
  const entry = resolve(image.get('DecodeParms'))
  const parms = entry instanceof PdfArray ? resolve(entry.at(entry.length - 1)) : entry
  if (!(parms instanceof PdfDict) || !PREDICTING.has(listFilters(image, resolve).at(-1) ?? '')) return undefined
  const rows = checkPredictor(parms, resolve)
  return rows.predictor === 1 ? undefined : { rows, parms }
}

/** Whether its rows are those of the image, and none is missing. @throws Refusal `unreadable`. */
function isPredictedWhole(
  store: ObjectStore,
  image: PdfStream,
  { rows, parms }: { rows: PredictedRows; parms: PdfDict },
  samples: Samples,
): boolean {
  const rowBytes = Math.ceil((rows.columns * rows.colours * rows.bits) / 8)
  const typeBytes = rows.predictor >= 10 ? 1 : 0
  const packed = new PdfStream(new PdfDict(), image.data)
  packed.set('Filter', image.get('Filter')!)
  // what the compression itself needs to know
  const earlyChange = parms.get('EarlyChange')
  if (earlyChange !== undefined) packed.set('DecodeParms', PdfDict.of({ EarlyChange: earlyChange }))
  const bytes = (rowBytes + typeBytes) * samples.height
  const data = decodeContent(store, packed, MAX_IMAGE_BYTES)
  if (data === undefined) throw new Refusal('unreadable', 'an image whose rows cannot be unpacked')
  if (typeBytes === 1) checkRowTypes(data.subarray(0, bytes), rowBytes + 1)
  const isOwn = rows.columns === samples.width && rows.colours === samples.components && rows.bits === samples.bits
  return isOwn && data.length >= bytes
}

function checkRowTypes(data: Uint8Array, rowBytes: number): void {
  for (let at = 0; at < data.length; at += rowBytes)
    if (data[at]! > LAST_ROW_TYPE) throw new Disagreement('an image with rows of a type that there is not')
}

function replaceData(image: PdfStream, data: Uint8Array): void {
  const packed = makeStream({}, data)
  image.setData(packed.data)
  for (const key of ['Filter', 'DecodeParms']) image.delete(key)
  const filter = packed.get('Filter')
  if (filter !== undefined) image.set('Filter', filter)
}
