import { PdfArray, PdfBool, PdfName, type PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { type JpxHeader, readJpxHeader } from '../image/jpx-header.ts'
import { unpackImage } from '../image/unpack-image.ts'
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
import { readPalette } from './read-palette.ts'

/** What an image calls its own colours, by how many they are (ISO/IEC 15444-1 table I.10). */
const OWN_SPACES: Record<number, number> = { 1: 17, 3: 16, 4: 12 }
/** Spaces of a PDF that mean the same as these. */
const PLAIN_SPACES = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'CalGray', 'CalRGB', 'ICCBased'])
/** Colours of an image of which nothing is said, by its components. */
const OWN_COLOURS: Record<number, number> = { 1: 1, 2: 1, 3: 3, 4: 3 }
/** How these are said. */
const SAID_SPACES: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB' }
const DEPTH = 8

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Takes of JPEG 2000 images those that say the same as what is said of them: grey, red, green and blue, four inks, of eight bits, or places of a
 * palette. Of ranges, other inks, colours to be left out and masks within the data one reader heeds what the next passes over (ISO 32000-2
 * section 7.4.9).
 * @param isMask It says how opaque another is, or what of it is painted.
 * @throws Refusal `unreadable`.
 */
export function settleJpx(store: ObjectStore, image: PdfStream, isMask: boolean): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const data = unpackImage(store, image)
  const header = data && readJpxHeader(data)
  if (header === undefined || header.depth === undefined || !header.isWhole || !header.hasEnd) refuse('of another kind')
  if (!header.isSound) disagree('whose head says otherwise than its data')
  if (isMask && header.components !== 1) disagree('as a mask of several components')
  if (isMask && image.get('ColorSpace') === undefined) image.set('ColorSpace', nameOf('DeviceGray'))
  const isPalette = readPalette(store, image.get('ColorSpace')) !== undefined && header.components === 1
  if (isPalette ? header.depth > DEPTH : header.depth !== DEPTH) disagree('of another depth')
  if ((readNumber(image.get('SMaskInData'), resolve) ?? 0) !== 0) disagree('with a mask in its data')
  const stencil = resolve(image.get('ImageMask'))
  if (stencil instanceof PdfBool && stencil.value) disagree('as a stencil')
  if (resolve(image.get('Mask')) instanceof PdfArray) disagree('without some of its colours')
  // its palette counts, whatever the data bring
  if (!isPalette) checkSpace(resolve(image.get('ColorSpace')), header, resolve)
  const range = readNumbers(image.get('Decode'), resolve)
  const most = isPalette ? 2 ** header.depth - 1 : 1
  if (range?.some((value, i) => value !== (i % 2) * most) === true) disagree('with a range')
  image.delete('Decode')
  // Ghostscript shows none that says its colours nowhere
  const usual = header.hasPalette ? undefined : SAID_SPACES[header.components]
  if (!image.has('ColorSpace') && usual !== undefined) image.set('ColorSpace', nameOf(usual))
  // without a depth some readers pass over a palette
  for (const [key, value] of Object.entries({
    Width: header.width,
    Height: header.height,
    BitsPerComponent: header.depth,
  }))
    if (readNumber(image.get(key), resolve) !== value) image.set(key, numberOf(value))
}

/** A component more than there are colours is opacity, and passed over where nothing says that it counts. */
function checkSpace(
  space: PdfObject | undefined,
  { components, spaces, hasPalette }: JpxHeader,
  resolve: Resolve,
): void {
  const name = space instanceof PdfArray ? resolve(space.at(0)) : space
  const label = name instanceof PdfName ? name.value : ''
  const isSaid = space !== undefined
  const colours = isSaid ? countComponents(space, resolve) : OWN_COLOURS[components]
  const own = hasPalette && !isSaid ? OWN_SPACES[3] : OWN_SPACES[colours ?? 0]
  // without a file around them some readers take what is opacity for a colour
  const fits = colours === components || (colours === components - 1 && spaces.length > 0)
  if (!fits || (isSaid && (hasPalette || !PLAIN_SPACES.has(label))) || spaces.some((number) => number !== own))
    disagree('of other colours than are said of it')
}

function refuse(kind: string): never {
  throw new Refusal('unreadable', `a JPEG 2000 image ${kind}`)
}

function disagree(kind: string): never {
  throw new Disagreement(`a JPEG 2000 image ${kind}`)
}
