import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { PdfArray, PdfDict, PdfName, PdfStream, PdfString } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { exceedsBytes } from '../pdf/measure-stream.ts'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { checkFilters } from './check-filters.ts'

/**
 * What a stream may become, in bytes: so much, and more for longer streams, since text that a program draws with hardly
 * shrinks to a thirtieth.
 */
const FREE_BYTES = 32 << 20
const MAX_EXPANSION = 32
/** An image may have all the bytes that its own figures announce, up to so many. */
const MAX_IMAGE_BYTES = 512 << 20
/** A string or name this long holds no text; a copy of it in each layer of a reader is what it is there for. */
const MAX_TOKEN_BYTES = 1 << 20

/**
 * Names for images that stand among operators. In others they mean nothing (ISO 32000-2 section 8.9.5), but some readers,
 * ours in the page among them, heed them before the full names: what is seen would not be what is certified.
 */
const SHORT_NAMES = ['W', 'H', 'BPC', 'CS', 'D', 'IM']

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Looks at everything that goes into the certified PDF for what would harm those who open it: streams that unpack to far
 * more than they can mean, images of too many pixels, giant strings. Nothing is kept of what is unpacked.
 * @throws Refusal `decompression_bomb`, `image_too_large`, `too_much_memory` or `unreadable`.
 */
export async function checkObjects(store: ObjectStore): Promise<void> {
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const object of store.objects) {
    checkTokens(object)
    if (!(object instanceof PdfStream)) continue
    checkFilters(object, resolve)
    if (await exceedsBytes(object, findMostBytes(object, resolve), resolve)) {
      throw new Refusal('decompression_bomb', 'a stream inflates far beyond what it can mean')
    }
  }
}

/** @throws Refusal `image_too_large` or `unreadable`. */
function findMostBytes(stream: PdfStream, resolve: Resolve): number {
  const most = FREE_BYTES + MAX_EXPANSION * stream.data.length
  const subtype = resolve(stream.get('Subtype'))
  if (!(subtype instanceof PdfName) || subtype.value !== 'Image') return most
  if (SHORT_NAMES.some((name) => stream.has(name))) {
    throw new Disagreement('an image that readers do not agree about')
  }
  const pixels = (readNumber(stream.get('Width'), resolve) ?? 0) * (readNumber(stream.get('Height'), resolve) ?? 0)
  if (pixels > IMAGE_MAX_PIXELS) throw new Refusal('image_too_large', `an image of ${pixels} pixels`)
  const isMask = stream.has('ImageMask')
  const bits = isMask ? 1 : (readNumber(stream.get('BitsPerComponent'), resolve) ?? 8)
  const bytes = (pixels * bits * countComponents(resolve(stream.get('ColorSpace')))) / 8
  if (bytes > MAX_IMAGE_BYTES) throw new Refusal('image_too_large', `an image of ${pixels} pixels`)
  // as many components as a colour space of this kind may have, and the byte that predictors put before each row
  return Math.max(FREE_BYTES, Math.min(pixels * 8, 2 * MAX_IMAGE_BYTES))
}

/** The least that a pixel has: what is not known counts as grey. */
function countComponents(space: PdfObject | undefined): number {
  if (!(space instanceof PdfName)) return 1
  return space.value === 'DeviceRGB' || space.value === 'RGB' ? 3 : space.value === 'DeviceCMYK' ? 4 : 1
}

/** @throws Refusal `too_much_memory`. */
function checkTokens(object: PdfObject): void {
  const stack: PdfObject[] = [object]
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if (part instanceof PdfArray) for (const item of part) stack.push(item)
    else if (part instanceof PdfDict) {
      for (const [key, value] of part) stack.push(key, value)
    } else if (part instanceof PdfString ? part.bytes.length > MAX_TOKEN_BYTES : isLongName(part)) {
      throw new Refusal('too_much_memory', 'a string or name is longer than any that means something')
    }
  }
}

function isLongName(object: PdfObject): boolean {
  return object instanceof PdfName && object.value.length > MAX_TOKEN_BYTES
}
