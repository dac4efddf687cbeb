import type { PdfRef } from '@libpdf/core'
import sharp from 'sharp'
import { embedImage } from '../image/embed-image.ts'
import type { ObjectStore } from '../pdf/object-store.ts'
import type { Picture } from './open-pdfium.ts'

/** Bytes to a pixel of a losslessly packed picture; what takes more is a photograph or a scan, or print so fine that it takes even more as one. */
const MOST_PACKED = 0.25
const PHOTOGRAPH = { quality: 90, chromaSubsampling: '4:4:4' } as const
/** Bytes to a pixel of a photograph; noise alone takes more, of which nobody sees that it is coarser. */
const MOST_PHOTOGRAPH = 0.5
const COARSE = { quality: 75, chromaSubsampling: '4:2:0' } as const
/** Looking at one row of eight, in bands, tells photographs and print apart in an eighth of the time. */
const [BANDS, PART] = [16, 8]
/** Bands of pictures with fewer pixels are so low that print looks like a photograph; packing them takes no time. */
const LEAST_SAMPLED = 1_000_000

/**
 * Packs a picture into an image of the store: print without loss, which takes little, photographs as such. At most half a byte for each
 * pixel, about, whatever it shows.
 */
export async function embedPicture(store: ObjectStore, { width, height, rgba }: Picture): Promise<PdfRef> {
  const channels = isGrey(rgba) ? 1 : 3
  const pixels = dropOpacity(rgba, channels)
  const open = (part: Buffer) =>
    sharp(part, { raw: { width, height: part.length / (width * channels), channels } }).toColourspace(
      channels === 1 ? 'b-w' : 'srgb',
    )
  const pack = (part: Buffer) => open(part).png({ compressionLevel: 6, palette: false }).toBuffer()
  const sample = width * height < LEAST_SAMPLED ? pixels : takeBands(pixels, width * channels, height)
  const sampled = ((await pack(sample)).length * channels) / sample.length
  if (sampled <= MOST_PACKED) {
    const packed = await pack(pixels)
    if (packed.length <= MOST_PACKED * width * height) return (await embedImage(store, packed, 'PNG')).ref
  }
  const photograph = await open(pixels).jpeg(PHOTOGRAPH).toBuffer()
  const most = Math.min(photograph.length, MOST_PHOTOGRAPH * width * height)
  if (sampled * width * height <= most) {
    const packed = await pack(pixels)
    if (packed.length <= most) return (await embedImage(store, packed, 'PNG')).ref
  }
  const isLarge = photograph.length > MOST_PHOTOGRAPH * width * height
  return (await embedImage(store, isLarge ? await open(pixels).jpeg(COARSE).toBuffer() : photograph, 'JPEG')).ref
}

function dropOpacity(rgba: Uint8Array, channels: number): Buffer {
  const pixels = Buffer.allocUnsafe((rgba.length / 4) * channels)
  for (let from = 0, to = 0; from < rgba.length; from += 4)
    for (let channel = 0; channel < channels; channel++) pixels[to++] = rgba[from + channel]!
  return pixels
}

/** Bands of rows from all over a picture; the whole of a low one. */
function takeBands(pixels: Buffer, rowBytes: number, height: number): Buffer {
  const rows = Math.floor(height / (BANDS * PART))
  if (rows === 0) return pixels
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const start = Math.floor((band * height) / BANDS) * rowBytes
    return pixels.subarray(start, start + rows * rowBytes)
  })
  return Buffer.concat(bands)
}

function isGrey(rgba: Uint8Array): boolean {
  for (let at = 0; at < rgba.length; at += 4) if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) return false
  return true
}
