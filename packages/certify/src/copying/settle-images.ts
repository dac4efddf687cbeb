import { PdfArray, PdfBool, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { dropJpegMarks } from '../image/drop-jpeg-marks.ts'
import { type JpegHeader, readJpegHeader } from '../image/jpeg-header.ts'
import { settleJpegColours } from '../image/settle-jpeg-colours.ts'
import { unpackJpeg } from '../image/unpack-image.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { nameOf, numberOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { checkRange } from './check-range.ts'
import { countComponents } from './count-components.ts'
import { isPalette } from './read-space-name.ts'
import { settleBilevel } from './settle-bilevel.ts'
import { settleJpx } from './settle-jpx.ts'
import { listMasks, settleMasks, settleStencil } from './settle-masks.ts'
import { settleSamples } from './settle-samples.ts'

/** Baseline, extended and progressive frames: what readers know (ITU-T T.81 table B.1). */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])
/** Bits of a component. */
const DEPTH = 8
const BILEVEL = new Set(['CCITTFaxDecode', 'JBIG2Decode'])
const PLAIN_SPACES: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }
/** Spaces that do no more than say which red is meant: a plain one of another number of components can stand for them. */
const COLOUR_SPACES = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'CalGray', 'CalRGB', 'ICCBased'])

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Makes what is said of an image what its data are: some readers believe the one, some the other.
 * @throws Refusal `unreadable` where neither can be made true of the other.
 */
export function settleImages(store: ObjectStore, images: readonly PdfStream[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const masks = listMasks(store, images)
  for (const mask of masks) for (const key of ['SMask', 'Mask']) mask.delete(key)
  for (const image of images) {
    settleStencil(store, image)
    const codec = listFilters(image, resolve).at(-1)
    if (codec === 'DCTDecode') settleJpeg(store, image)
    else if (codec === 'JPXDecode') settleJpx(store, image, masks.has(image))
    else if (codec !== undefined && BILEVEL.has(codec)) settleBilevel(store, image, codec)
    else settleSamples(store, image)
  }
  // of what is said of a mask its own data may have decided
  for (const image of images) settleMasks(store, image)
}

function settleJpeg(store: ObjectStore, image: PdfStream): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const data = unpackJpeg(store, image)
  const header = data && readJpegHeader(data)
  // without a frame nobody draws it
  if (data === undefined || header === undefined) return
  if (!FRAMES.has(header.frame) || header.precision !== DEPTH || header.width * header.height === 0)
    throw new Disagreement('a JPEG of a kind that few readers know')
  const stencil = resolve(image.get('ImageMask'))
  if (stencil instanceof PdfBool && stencil.value) throw new Disagreement('a JPEG as a stencil')
  const figures = { Width: header.width, Height: header.height, BitsPerComponent: header.precision }
  for (const [key, value] of Object.entries(figures))
    if (readNumber(image.get(key), resolve) !== value) image.set(key, numberOf(value))
  settleSpace(image, header, resolve)
  settleMarks(image, data, header, resolve)
}

/** Writes what `/ColorTransform` says into the data, and leaves out what only browsers heed: not all readers heed the same. */
function settleMarks(image: PdfStream, data: Uint8Array, { components, isAdobe }: JpegHeader, resolve: Resolve): void {
  const parms = resolve(image.get('DecodeParms'))
  const own = parms instanceof PdfArray ? resolve(parms.at(parms.length - 1)) : parms
  const transform = own instanceof PdfDict ? readNumber(own.get('ColorTransform'), resolve) : undefined
  // the reviewer's reader alone heeds it for inks
  if (components === 4 && !isAdobe && transform !== undefined && transform !== 0)
    throw new Disagreement('a JPEG of inks that are mixed in some readers alone')
  const settled = dropJpegMarks(settleJpegColours(data, transform))
  if (settled === data) return
  image.setData(settled)
  image.set('Filter', nameOf('DCTDecode'))
  image.delete('DecodeParms')
}

/** @throws Refusal `unreadable`. */
function settleSpace(image: PdfStream, { components }: JpegHeader, resolve: Resolve): void {
  const space = resolve(image.get('ColorSpace'))
  const name = space instanceof PdfArray ? resolve(space.at(0)) : space
  if (countComponents(space, resolve) !== components) {
    const plain = PLAIN_SPACES[components]
    const isReplaceable = space === undefined || (name instanceof PdfName && COLOUR_SPACES.has(name.value))
    if (plain === undefined || !isReplaceable) throw new Disagreement('a JPEG of other colours than are said of it')
    image.set('ColorSpace', nameOf(plain))
  }
  const range = resolve(image.get('Decode'))
  if (range !== undefined && !(range instanceof PdfArray && range.length === 2 * components)) image.delete('Decode')
  if (!isPalette(space, resolve)) checkRange(image, DEPTH, resolve)
}
