import { PdfArray, PdfBool, PdfName, PdfStream } from '@libpdf/core'
import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { Disagreement } from '../errors.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import {
  nameOf,
  numberOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  readNumbers,
  resolveObject,
} from '../pdf/object-store.ts'
import { countComponents } from './count-components.ts'
import { isPalette } from './read-space-name.ts'

/** Their data say themselves how deep they are. */
const SELF_SAID = new Set(['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode'])

/** Pixels of a canvas. */
const LONGEST = 32_767

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * A stencil is black and white whatever is said of it: some readers heed depth and colours, the reviewer's does not.
 * @throws Refusal where nobody can tell whether it is one, or how deep an image is (ISO 32000-2 table 87).
 */
export function settleStencil(store: ObjectStore, image: PdfStream): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const [width, height] = ['Width', 'Height'].map((key) => readNumber(image.get(key), resolve) ?? 0) as [number, number]
  // of more pixels than any may have it is told elsewhere
  const isCounted = width * height <= IMAGE_MAX_PIXELS
  if (isCounted && Math.max(width, height) > LONGEST)
    throw new Disagreement('an image that is longer than browsers can draw')
  const entry = resolve(image.get('ImageMask'))
  if (entry !== undefined && !(entry instanceof PdfBool))
    throw new Disagreement('an image that some readers take for a stencil')
  if (isStencil(image, resolve)) {
    image.delete('ColorSpace')
    if (image.has('BitsPerComponent')) image.set('BitsPerComponent', numberOf(1))
  } else if (
    readNumber(image.get('BitsPerComponent'), resolve) === undefined &&
    !SELF_SAID.has(listFilters(image, resolve).at(-1) ?? '')
  )
    throw new Disagreement('an image without a depth')
}

/**
 * Leaves one mask to an image, as the reviewer's reader does: that of opacity before another. A mask has none of its own.
 * @throws Refusal `unreadable` where readers do not agree about it.
 */
export function settleMasks(store: ObjectStore, image: PdfStream): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const soft = resolve(image.get('SMask'))
  if (soft instanceof PdfStream) {
    image.delete('Mask')
    settleSoftMask(image, soft, resolve)
  } else image.delete('SMask')
  const mask = resolve(image.get('Mask'))
  if (!image.has('Mask')) return
  if (mask instanceof PdfArray) checkColourMask(image, mask, resolve)
  else if (mask instanceof PdfStream && isStencil(mask, resolve)) checkImage(mask, resolve)
  // the reviewer's reader passes over any other, some take it for a stencil (ISO 32000-2 section 8.9.6)
  else image.delete('Mask')
}

function isStencil(image: PdfStream, resolve: Resolve): boolean {
  const entry = resolve(image.get('ImageMask'))
  return entry instanceof PdfBool && entry.value
}

/** @throws Refusal where not all readers leave out the colours of such a range (ISO 32000-2 section 8.9.6.4). */
function checkColourMask(image: PdfStream, mask: PdfArray, resolve: Resolve): void {
  const bits = readNumber(image.get('BitsPerComponent'), resolve)
  const components = countComponents(resolve(image.get('ColorSpace')), resolve)
  if (bits === 16 || components === 4 || (bits === 1 && components !== 1))
    throw new Disagreement('an image without some of its colours, which only some readers leave out')
  const range = readNumbers(mask, resolve)
  const isWhole = range?.every((value) => Number.isInteger(value)) === true
  if (!isWhole || range.length < 2 * (components ?? 1))
    throw new Disagreement('an image without some of its colours that does not say which')
}

/** @throws Refusal where a mask of opacity is a stencil, has colours, or fits its image in some readers alone (ISO 32000-2 table 144). */
function settleSoftMask(image: PdfStream, mask: PdfStream, resolve: Resolve): void {
  if (isStencil(mask, resolve))
    throw new Disagreement('a stencil as a mask of opacity: each reader makes something else of it')
  checkImage(mask, resolve)
  checkMatte(image, mask, resolve)
  const range = readNumbers(mask.get('Decode'), resolve)
  if (range?.some((value) => value < 0 || value > 1) === true)
    throw new Disagreement('a mask of opacity beyond what is opaque')
  if (!mask.has('ColorSpace')) return
  const space = resolve(mask.get('ColorSpace'))
  if (isPalette(space, resolve) || (countComponents(space, resolve) ?? 1) !== 1)
    throw new Disagreement('a mask of opacity with colours: some readers see the colours, others the bytes')
  // an ink or a curve counts for some readers, the bytes for the reviewer's
  mask.set('ColorSpace', nameOf('DeviceGray'))
}

/** @throws Refusal where it is none, or has no size. */
function checkImage(mask: PdfStream, resolve: Resolve): void {
  const kind = resolve(mask.get('Subtype'))
  if (!(kind instanceof PdfName && kind.value === 'Image')) throw new Disagreement('a mask that is no image')
  const sides = ['Width', 'Height'].map((key) => readNumber(mask.get(key), resolve) ?? 0)
  if (!sides.every((side) => side >= 1)) throw new Disagreement('a mask without a size')
}

/** Colours that are mixed with one already must say with which, and for every pixel how much. */
function checkMatte(image: PdfStream, mask: PdfStream, resolve: Resolve): void {
  const matte = resolve(mask.get('Matte'))
  if (!(matte instanceof PdfArray)) {
    mask.delete('Matte')
    return
  }
  const [own, masked] = [mask, image].map((one) =>
    ['Width', 'Height'].map((key) => readNumber(one.get(key), resolve)).join(),
  )
  const components = countComponents(resolve(image.get('ColorSpace')), resolve)
  if (own !== masked || readNumbers(matte, resolve)?.length !== components)
    throw new Disagreement('an image that is mixed with a colour in some readers alone')
}

/** Those that are masks of opacity, or say what is not painted. */
export function listMasks(store: ObjectStore, images: readonly PdfStream[]): Set<PdfStream> {
  const masks = ['SMask', 'Mask'].flatMap((key) => images.map((image) => resolveObject(store, image.get(key))))
  return new Set(masks.filter((mask) => mask instanceof PdfStream))
}
