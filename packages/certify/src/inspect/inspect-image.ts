import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import sharp from 'sharp'
import { Refusal } from '../errors.ts'
import { readJpegHeader } from '../image/jpeg-header.ts'
import { hasWrongChecksum, type PngParts, readPng } from '../image/png-chunks.ts'
import { countInflated } from '../pdf/measure-stream.ts'
import type { DocumentType } from '../types.ts'

/** Pixels on a side. */
const THUMBNAIL = 16
/** What one byte of deflate can become. */
const MOST_INFLATION = 1032
/** Some programs pad their data. */
const SPARE_BYTES = 16 << 20

/**
 * Decodes the whole image: a header alone says nothing about what follows it.
 * @throws Refusal `image_too_large`, `decompression_bomb`, `truncated`, `checksum_wrong` or `unreadable`.
 */
export async function inspectImage(bytes: Uint8Array, type: DocumentType): Promise<void> {
  const size = type === 'JPEG' ? readJpegHeader(bytes) : readPng(bytes)
  if (size !== undefined && size.width * size.height > IMAGE_MAX_PIXELS) {
    throw new Refusal('image_too_large', `${size.width} x ${size.height} pixels`)
  }
  if (size !== undefined && 'data' in size && (await hasTooMuchData(size))) {
    throw new Refusal('decompression_bomb', 'more data than pixels')
  }
  if (!hasEnd(bytes, type)) throw new Refusal('truncated', 'the end of the image is missing')
  try {
    await decodeWhole(bytes, type)
  } catch (error) {
    const words = error instanceof Error ? error.message : ''
    // a decoder calls a wrong checksum a fault of reading, as it does a missing end
    if (type === 'PNG' && hasWrongChecksum(bytes)) {
      throw new Refusal('checksum_wrong', 'a checksum of the image is wrong', { cause: error })
    }
    if (/pixel limit/i.test(words)) throw new Refusal('image_too_large', 'too many pixels', { cause: error })
    if (/premature end|truncated|end of|not enough|read error|incomplete/i.test(words)) {
      throw new Refusal('truncated', 'the image ends too early', { cause: error })
    }
    throw new Refusal('unreadable', 'the image cannot be decoded', { cause: error })
  }
}

/** What a JPEG decoder says when the compressed data themselves are damaged; other warnings speak of headers and padding. */
const DAMAGED = /premature end|bad huffman|corrupt jpeg data: (?!\d+ extraneous)|invalid.*progress/i

/**
 * A JPEG decoder calls damage to the data a warning and paints grey from there on.
 * @throws Error in the decoder's words.
 */
async function decodeWhole(bytes: Uint8Array, type: DocumentType): Promise<void> {
  if (type !== 'JPEG') return decodeStrictly(bytes, 'error')
  try {
    await decodeStrictly(bytes, 'warning')
  } catch (error) {
    if (error instanceof Error && DAMAGED.test(error.message)) throw error
    await decodeStrictly(bytes, 'error')
  }
}

async function decodeStrictly(bytes: Uint8Array, failOn: 'error' | 'warning'): Promise<void> {
  // a tiny picture of it takes every pixel into account and keeps few of them at a time
  await sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn, sequentialRead: true })
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
}

/** Decoders stop at the last row, but the data go into the certified PDF as they are, and readers may unpack all of them. */
async function hasTooMuchData({ width, height, data }: PngParts): Promise<boolean> {
  // four channels of 16 bits, and a byte before each row of each of the seven passes
  const most = height * (width * 8 + 14) + SPARE_BYTES
  return data.length * MOST_INFLATION > most && (await countInflated(data, most)) > most
}

/** An end-of-image marker or an IEND chunk stands somewhere near the end; some programs append their own data. */
function hasEnd(bytes: Uint8Array, type: DocumentType): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return type === 'JPEG' ? whole.lastIndexOf('\xff\xd9', undefined, 'latin1') > 0 : whole.lastIndexOf('IEND') > 0
}
