import { PdfArray, PdfBool, PdfDict, PdfName, PdfNull, PdfNumber, PdfStream } from '@libpdf/core'
import { countComponents } from '../copying/count-components.ts'
import { readPalette } from '../copying/read-palette.ts'
import { readSpaceName } from '../copying/read-space-name.ts'
import { settleImages } from '../copying/settle-images.ts'
import { Disagreement } from '../errors.ts'
import { spellFilters } from '../pdf/filter-names.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { nameOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { parseEntries } from '../pdf/parse-entries.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { serializeObject } from '../pdf/serialize-object.ts'
import { checkFilters } from './check-filters.ts'
import type { InlineImage } from './inline-image-ends.ts'
import { highestSample } from './highest-sample.ts'

/** ISO 32000-2 table 91. */
const FULL_KEYS: Record<string, string> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
}
const FULL_SPACES: Record<string, string> = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK' }
const PLAIN_SPACES = new Set([...Object.keys(FULL_SPACES), ...Object.values(FULL_SPACES)])
const PALETTES = new Set(['I', 'Indexed'])
/** What of an image decides how it looks. */
const LOOKS = ['Width', 'Height', 'BitsPerComponent', 'ColorSpace', 'ImageMask', 'Mask', 'Decode', 'DecodeParms']
/** Codecs that no content may use for its images. */
const FOREIGN_CODECS = new Set(['JPXDecode', 'JBIG2Decode'])
const MOST_BYTES = 256 << 20
const END_OF_DATA = 128
/** Blanks before the end of data that are as long as they must be. */
const MOST_SPARE = 4

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Images among operators stay as they are, so each must be one that all readers draw alike: what would be settled of any other image is
 * refused here.
 * @param resources Of the content, whose spaces of colours they may name.
 * @throws Refusal `unreadable`.
 */
export function checkInlineEntries(
  store: ObjectStore,
  content: Buffer,
  images: readonly InlineImage[],
  resources: PdfObject | undefined,
): void {
  for (const image of images) {
    const given = parseEntries(image.dictionary)
    if (given === undefined) refuse('with entries that are none')
    const data = content.subarray(image.data, image.lettersEnd ?? image.end - 2)
    const spelt = spell(store, given, data, resources)
    const before = describe(spelt)
    const resolve: Resolve = (object) => resolveObject(store, object)
    checkFilters(spelt, resolve)
    checkPacked(spelt, resolve)
    settleImages(store, [spelt])
    if (spelt.data !== data || describe(spelt) !== before) refuse('that readers draw in different ways')
    checkPlaces(store, spelt, resolve)
  }
}

/** Under full names. */
function spell(store: ObjectStore, given: PdfDict, data: Uint8Array, resources: PdfObject | undefined): PdfStream {
  const image = new PdfStream(new PdfDict(), data)
  for (const [{ value: key }, value] of given) {
    const full = Object.hasOwn(FULL_KEYS, key) ? FULL_KEYS[key]! : key
    if (image.has(full) || value instanceof PdfNull) refuse('that says something twice, or nothing')
    image.set(full, value)
  }
  image.set('Subtype', nameOf('Image'))
  const filter = image.get('Filter')
  if (filter !== undefined) image.set('Filter', spellFilters(filter))
  const space = image.get('ColorSpace')
  if (space !== undefined) image.set('ColorSpace', spellSpace(store, space, resources))
  checkCounts(image)
  return image
}

/** PDFium passes over counts that are no whole numbers. */
function checkCounts(image: PdfStream): void {
  for (const key of ['Width', 'Height', 'BitsPerComponent']) {
    const value = image.get(key)
    if (value === undefined && key === 'BitsPerComponent') continue
    if (!(value instanceof PdfNumber && Number.isInteger(value.value) && value.value > 0)) refuse('without a size')
  }
}

/** One that is plain, a palette of such colours, or one of the resources. */
function spellSpace(store: ObjectStore, space: PdfObject, resources: PdfObject | undefined): PdfObject {
  const resolve: Resolve = (object) => resolveObject(store, object)
  if (space instanceof PdfName) {
    if (PLAIN_SPACES.has(space.value)) return nameOf(FULL_SPACES[space.value] ?? space.value)
    const lists = resolve(resources)
    const list = lists instanceof PdfDict ? resolve(lists.get('ColorSpace')) : undefined
    const found = list instanceof PdfDict && !PALETTES.has(space.value) ? list.get(space.value) : undefined
    if (found === undefined || readSpaceName(found, resolve) === 'Pattern') refuse('in colours that are not there')
    return found
  }
  const [name, base] = space instanceof PdfArray ? [space.at(0), space.at(1)] : []
  if (!(space instanceof PdfArray && name instanceof PdfName && base instanceof PdfName)) refuse('in odd colours')
  if (!PALETTES.has(name.value) || !PLAIN_SPACES.has(base.value)) refuse('in odd colours')
  return new PdfArray([nameOf('Indexed'), nameOf(FULL_SPACES[base.value] ?? base.value), ...[...space].slice(2)])
}

function isStencil(image: PdfStream): boolean {
  const entry = image.get('ImageMask')
  return entry instanceof PdfBool && entry.value
}

/** What it looks like, without what says the same as nothing. */
function describe(image: PdfStream): string {
  const isMask = isStencil(image)
  return LOOKS.map((key) => {
    const value = image.get(key)
    const text = value === undefined ? '' : serializeObject(value, (number) => number)
    if (key === 'Decode' && /^\[\s*(?:0(?:\.0)? 1(?:\.0)? ?)+\]$|^\[\s*0 (?:3|15|255)\s*\]$/.test(text)) return ''
    if (isMask && key === 'BitsPerComponent' && text === '1') return ''
    return isMask && key === 'ColorSpace' && text === '/DeviceGray' ? '' : text
  }).join()
}

/** PDFium needs an end of run lengths and of digits, and counts data that are not packed. */
function checkPacked(image: PdfStream, resolve: Resolve): void {
  const filters = listFilters(image, resolve)
  if (filters.some((label) => FOREIGN_CODECS.has(label))) refuse('of a kind that is not for them')
  const [first] = filters
  if (first === undefined) checkLength(image, resolve)
  if (first === 'ASCIIHexDecode' && !image.data.includes(0x3e)) refuse('without an end')
  if (first === 'RunLengthDecode' && !hasEndOfRuns(image.data)) refuse('without an end')
}

function checkLength(image: PdfStream, resolve: Resolve): void {
  const [width = 0, height = 0] = ['Width', 'Height'].map((key) => readNumber(image.get(key), resolve))
  const bits = isStencil(image) ? 1 : (readNumber(image.get('BitsPerComponent'), resolve) ?? 8)
  const components = isStencil(image) ? 1 : (countComponents(resolve(image.get('ColorSpace')), resolve) ?? 1)
  const rest = image.data.subarray(Math.ceil((width * bits * components) / 8) * height)
  if (rest.length > MOST_SPARE || rest.some((byte) => byte > 32)) refuse('with more data than it has pixels')
}

function hasEndOfRuns(data: Uint8Array): boolean {
  for (let at = 0; at < data.length;) {
    const length = data[at]!
    if (length === END_OF_DATA) return true
    at += length < END_OF_DATA ? length + 2 : 2
  }
  return false
}

/** Beyond a palette readers show its last colour, or none. */
function checkPlaces(store: ObjectStore, image: PdfStream, resolve: Resolve): void {
  const palette = readPalette(store, image.get('ColorSpace'))
  const bits = readNumber(image.get('BitsPerComponent'), resolve) ?? 8
  if (palette === undefined) return
  const isWhole = palette.colours.length >= (palette.last + 1) * palette.components
  if (isWhole && palette.last >= 2 ** bits - 1) return
  const samples = decodeContent(store, image, MOST_BYTES)
  const width = readNumber(image.get('Width'), resolve) ?? 0
  if (!isWhole || samples === undefined || highestSample(samples, width, bits) > palette.last)
    refuse('with places beyond its palette')
}

function refuse(kind: string): never {
  throw new Disagreement(`an image among operators ${kind}`)
}
