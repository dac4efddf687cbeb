import { PdfArray, PdfDict, type PdfRef, PdfStream, PdfString } from '@libpdf/core'
import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import sharp from 'sharp'
import { Refusal } from '../errors.ts'
import { nameOf, numberOf, numbersOf, type ObjectStore, type PdfObject, registerObject } from '../pdf/object-store.ts'
import type { DocumentType } from '../types.ts'
import { isHarmless } from './harmless-profile.ts'
import { embedProfile, inflateProfile, joinProfile, readProfile } from './icc-profile.ts'
import { dropJpegMarks } from './drop-jpeg-marks.ts'
import { type JpegHeader, readJpegHeader } from './jpeg-header.ts'
import { settleJpegColours } from './settle-jpeg-colours.ts'
import { type PngParts, readPng } from './png-chunks.ts'

export interface EmbeddedImage {
  ref: PdfRef
  /** Pixels as stored, before the orientation is applied. */
  width: number
  height: number
  /** Exif orientation, 1 to 8. */
  orientation: number
}

/**
 * Embeds an image without loss. JPEG data go in as they are; so do the compressed rows of most PNGs. Only transparent,
 * interlaced and otherwise unusual images are decoded.
 * @throws Refusal `unreadable`.
 */
export async function embedImage(store: ObjectStore, bytes: Uint8Array, type: DocumentType): Promise<EmbeddedImage> {
  return type === 'JPEG' ? embedJpeg(store, bytes) : embedPng(store, bytes)
}

async function embedJpeg(store: ObjectStore, bytes: Uint8Array): Promise<EmbeddedImage> {
  const header = readJpegHeader(bytes)
  const spaces: Record<number, string> = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }
  const space = header === undefined ? undefined : spaces[header.components]
  // DCTDecode knows baseline, extended and progressive frames of 8 bits (ISO 32000-2 section 7.4.8)
  if (header === undefined || space === undefined || header.precision !== 8 || header.frame > 0xc2) {
    return embedDecoded(store, bytes)
  }
  if (!hasCommonSampling(header)) return embedDecoded(store, bytes)
  const profile = readKept(joinProfile(header.profileChunks), header.components)
  const entries: Record<string, PdfObject> = {
    ...describeImage(header.width, header.height, 8),
    ColorSpace: describeSpace(store, profile, header.components, space),
    Filter: nameOf('DCTDecode'),
  }
  if (header.components === 4 && header.isAdobe) entries.Decode = numbersOf([1, 0, 1, 0, 1, 0, 1, 0])
  const ref = registerObject(store, PdfStream.fromDict(entries, dropJpegMarks(settleJpegColours(bytes), profile)))
  return { ref, width: header.width, height: header.height, orientation: header.orientation }
}

/** Pixels of luminance to one of colour, across and down: 4:4:4, 4:2:2, 4:4:0, 4:2:0 and 4:1:1. */
const COMMON_SAMPLING = new Set(['1x1', '2x1', '1x2', '2x2', '4x1'])

/** Decoders of viewers draw other samplings of colour wrongly, or crash. */
function hasCommonSampling({ components, sampling }: JpegHeader): boolean {
  if (components !== 3) return true
  const [[across, down], blue, red] = sampling as [[number, number], [number, number], [number, number]]
  return blue.join() === red.join() && COMMON_SAMPLING.has(`${across / blue[0]}x${down / blue[1]}`)
}

/** What the numbers of pixels mean: by the image's own colour profile when that is sound and can show nothing else. */
function describeSpace(
  store: ObjectStore,
  given: Uint8Array | undefined,
  components: number,
  device: string,
): PdfObject {
  const profile = readKept(given, components)
  return profile === undefined
    ? nameOf(device)
    : PdfArray.of(nameOf('ICCBased'), embedProfile(store, profile, components))
}

function readKept(given: Uint8Array | undefined, components: number): Uint8Array | undefined {
  const profile = given && readProfile(given, components)
  return profile !== undefined && (components === 4 || isHarmless(profile, components)) ? profile : undefined
}

async function embedPng(store: ObjectStore, bytes: Uint8Array): Promise<EmbeddedImage> {
  const png = readPng(bytes)
  const image = png === undefined ? undefined : passPngThrough(store, png)
  if (png === undefined) return embedDecoded(store, bytes)
  const { width, height, orientation } = png
  if (image !== undefined) return { ref: registerObject(store, image), width, height, orientation }
  return { ...(await embedDecoded(store, bytes)), orientation }
}

/** PNG rows are what FlateDecode with predictor 15 reads (ISO 32000-2 section 7.4.4.4). Undefined when they are not. */
function passPngThrough(
  store: ObjectStore,
  png: PngParts,
  extra: Record<string, PdfObject> = {},
): PdfStream | undefined {
  if (png.isInterlaced || png.hasTransparency) return undefined
  const space = findColourSpace(store, png)
  if (space === undefined) return undefined
  return PdfStream.fromDict(
    {
      ...describeImage(png.width, png.height, png.bitDepth),
      ColorSpace: space,
      Filter: nameOf('FlateDecode'),
      DecodeParms: PdfDict.of({
        Predictor: numberOf(15),
        Colors: numberOf(png.colourType === 2 ? 3 : 1),
        BitsPerComponent: numberOf(png.bitDepth),
        Columns: numberOf(png.width),
      }),
      ...extra,
    },
    png.data,
  )
}

function findColourSpace(store: ObjectStore, png: PngParts): PdfObject | undefined {
  const { colourType, palette, profileChunk } = png
  const profile = profileChunk && inflateProfile(profileChunk)
  if (colourType === 0) return describeSpace(store, profile, 1, 'DeviceGray')
  if (colourType === 2) return describeSpace(store, profile, 3, 'DeviceRGB')
  if (colourType !== 3 || palette === undefined || palette.length < 3) return undefined
  // rows may name entries that are not there: browsers draw those black, readers of PDF the last entry or anything
  const entries = 2 ** png.bitDepth
  const filled = Buffer.alloc(3 * entries)
  filled.set(palette.subarray(0, Math.min(3 * Math.floor(palette.length / 3), filled.length)))
  return PdfArray.of(
    nameOf('Indexed'),
    describeSpace(store, profile, 3, 'DeviceRGB'),
    numberOf(entries - 1),
    new PdfString(filled, 'hex'),
  )
}

/** Decodes to plain rows, transparency apart as a soft mask; 16 bits stay 16 bits. */
async function embedDecoded(store: ObjectStore, bytes: Uint8Array): Promise<EmbeddedImage> {
  try {
    const bounds = { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error' } as const
    const meta = await sharp(bytes, bounds).metadata()
    // pixels stay what they are, and their profile goes in with them; inks alone become red, green and blue here
    const options = { ...bounds, ignoreIcc: meta.space !== 'cmyk' }
    const depth = meta.depth === 'ushort' ? 'ushort' : 'uchar'
    const space = depth === 'ushort' ? (meta.channels <= 2 ? 'grey16' : 'rgb16') : meta.channels <= 2 ? 'b-w' : 'srgb'
    const output = { compressionLevel: 4, palette: false } as const
    const opaque = sharp(bytes, options).removeAlpha().toColourspace(space)
    const colour = mustReadPng(await opaque.png(output).toBuffer())
    const extra: Record<string, PdfObject> = {}
    if (options.ignoreIcc && colour.colourType === 0) extra.ColorSpace = describeSpace(store, meta.icc, 1, 'DeviceGray')
    if (options.ignoreIcc && colour.colourType === 2) extra.ColorSpace = describeSpace(store, meta.icc, 3, 'DeviceRGB')
    if (meta.hasAlpha) {
      const alpha = sharp(bytes, options)
        .extractChannel('alpha')
        .toColourspace(depth === 'ushort' ? 'grey16' : 'b-w')
      const mask = passPngThrough(store, mustReadPng(await alpha.png(output).toBuffer()))
      if (mask !== undefined) extra.SMask = registerObject(store, mask)
    }
    const image = passPngThrough(store, colour, extra)
    if (image === undefined) throw new Error('the decoded image is still transparent or interlaced')
    return {
      ref: registerObject(store, image),
      width: colour.width,
      height: colour.height,
      orientation: meta.orientation ?? 1,
    }
  } catch (error) {
    throw new Refusal('unreadable', 'the image cannot be decoded', { cause: error })
  }
}

function mustReadPng(bytes: Uint8Array): PngParts {
  const png = readPng(bytes)
  if (png === undefined) throw new Error('the encoder wrote no PNG')
  return png
}

function describeImage(width: number, height: number, bits: number): Record<string, PdfObject> {
  return {
    Type: nameOf('XObject'),
    Subtype: nameOf('Image'),
    Width: numberOf(width),
    Height: numberOf(height),
    BitsPerComponent: numberOf(bits),
  }
}
