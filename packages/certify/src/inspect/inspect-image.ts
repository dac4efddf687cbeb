import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { Refusal } from '../errors.ts'
import { checkJpegScans } from '../image/check-jpeg-scans.ts'
import { readJpegHeader } from '../image/jpeg-header.ts'
import { hasWrongChecksum, type PngParts, readPng } from '../image/png-chunks.ts'
import { countInflated } from '../pdf/measure-stream.ts'
import { decodeImage } from './decode-image.ts'

/** What one byte of deflate can become. */
const MOST_INFLATION = 1032
/** Some programs pad their data. */
const SPARE_BYTES = 16 << 20

/**
 * Decodes the whole image: a header alone says nothing about what follows it.
 * @throws Refusal `image_too_large`, `decompression_bomb`, `truncated`, `checksum_wrong` or `unreadable`.
 */
export async function inspectImage(bytes: Uint8Array, type: 'JPEG' | 'PNG'): Promise<void> {
  const size = type === 'JPEG' ? readJpegHeader(bytes) : readPng(bytes)
  if (size !== undefined && size.width * size.height > IMAGE_MAX_PIXELS) {
    throw new Refusal('image_too_large', `${size.width} x ${size.height} pixels`)
  }
  if (size !== undefined && 'data' in size && (await hasTooMuchData(size))) {
    throw new Refusal('decompression_bomb', 'more data than pixels')
  }
  if (!hasEnd(bytes, type)) throw new Refusal('truncated', 'the end of the image is missing')
  try {
    await decodeImage(bytes, type, size)
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
  if (type === 'JPEG') checkJpegScans(bytes)
}

/** Decoders stop at the last row, but the data go into the certified PDF as they are, and readers may unpack all of them. */
async function hasTooMuchData({ width, height, data }: PngParts): Promise<boolean> {
  // four channels of 16 bits, and a byte before each row of each of the seven passes
  const most = height * (width * 8 + 14) + SPARE_BYTES
  return data.length * MOST_INFLATION > most && (await countInflated(data, most)) > most
}

/** An end-of-image marker or an IEND chunk stands somewhere near the end; some programs append their own data. */
function hasEnd(bytes: Uint8Array, type: 'JPEG' | 'PNG'): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return type === 'JPEG' ? whole.lastIndexOf('\xff\xd9', undefined, 'latin1') > 0 : whole.lastIndexOf('IEND') > 0
}
