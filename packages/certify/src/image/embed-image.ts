import { PdfArray, PdfDict, type PdfRef, PdfStream, PdfString } from '@libpdf/core'
import sharp from 'sharp'
import { Refusal } from '../errors.ts'
import { nameOf, numberOf, numbersOf, type ObjectStore, type PdfObject, registerObject } from '../pdf/object-store.ts'
import type { DocumentType } from '../types.ts'
import { MAX_PIXELS } from './limits.ts'
import { readJpegHeader } from './jpeg-header.ts'
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
 * Embeds an image without loss. JPEG bytes go in as they are; so do the compressed rows of most PNGs. Only transparent,
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
  const entries: Record<string, PdfObject> = {
    ...describeImage(header.width, header.height, 8),
    ColorSpace: nameOf(space),
    Filter: nameOf('DCTDecode'),
  }
  if (header.components === 4 && header.isAdobe) entries.Decode = numbersOf([1, 0, 1, 0, 1, 0, 1, 0])
  const ref = registerObject(store, PdfStream.fromDict(entries, bytes))
  return { ref, width: header.width, height: header.height, orientation: header.orientation }
}

async function embedPng(store: ObjectStore, bytes: Uint8Array): Promise<EmbeddedImage> {
  const png = readPng(bytes)
  const image = png === undefined ? undefined : passPngThrough(png)
  if (png === undefined || image === undefined) return embedDecoded(store, bytes)
  return { ref: registerObject(store, image), width: png.width, height: png.height, orientation: 1 }
}

/** PNG rows are what FlateDecode with predictor 15 reads (ISO 32000-2 section 7.4.4.4). Undefined when they are not. */
function passPngThrough(png: PngParts, extra: Record<string, PdfObject> = {}): PdfStream | undefined {
  if (png.isInterlaced || png.hasTransparency) return undefined
  const space = findColourSpace(png)
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

function findColourSpace(png: PngParts): PdfObject | undefined {
  if (png.colourType === 0) return nameOf('DeviceGray')
  if (png.colourType === 2) return nameOf('DeviceRGB')
  if (png.colourType !== 3 || png.palette === undefined || png.palette.length < 3) return undefined
  const entries = Math.floor(png.palette.length / 3)
  return PdfArray.of(
    nameOf('Indexed'),
    nameOf('DeviceRGB'),
    numberOf(entries - 1),
    new PdfString(png.palette.subarray(0, 3 * entries), 'hex'),
  )
}

/** Decodes to plain rows, transparency apart as a soft mask; 16 bits stay 16 bits. */
async function embedDecoded(store: ObjectStore, bytes: Uint8Array): Promise<EmbeddedImage> {
  try {
    const options = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
    const meta = await sharp(bytes, options).metadata()
    const depth = meta.depth === 'ushort' ? 'ushort' : 'uchar'
    const space = depth === 'ushort' ? (meta.channels <= 2 ? 'grey16' : 'rgb16') : meta.channels <= 2 ? 'b-w' : 'srgb'
    const output = { compressionLevel: 4, palette: false } as const
    const opaque = sharp(bytes, options).removeAlpha().toColourspace(space)
    const colour = mustReadPng(await opaque.png(output).toBuffer())
    const extra: Record<string, PdfObject> = {}
    if (meta.hasAlpha) {
      const alpha = sharp(bytes, options)
        .extractChannel('alpha')
        .toColourspace(depth === 'ushort' ? 'grey16' : 'b-w')
      const mask = passPngThrough(mustReadPng(await alpha.png(output).toBuffer()))
      if (mask !== undefined) extra.SMask = registerObject(store, mask)
    }
    const image = passPngThrough(colour, extra)
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
