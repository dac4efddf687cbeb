import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import sharp from 'sharp'

/** Larger images are decoded to a quarter of their pixels, which must still be there all at once. */
const MOST_WHOLE_PIXELS = 25_000_000
/** What a JPEG decoder says when the compressed data themselves are damaged; other warnings speak of headers and padding. */
const DAMAGED = /premature end|bad huffman|corrupt jpeg data: (?!\d+ extraneous)|invalid.*progress/i

export interface ImageSize {
  width: number
  height: number
}

/**
 * Reads an image to its last row: a smaller picture of it would leave out the last ones. A JPEG decoder calls damage to the data
 * a warning and paints grey from there on, where other readers stop.
 * @param size In pixels, undefined where the header could not be read.
 * @throws Error in the decoder's words.
 */
export async function decodeImage(bytes: Uint8Array, type: 'JPEG' | 'PNG', size: ImageSize | undefined): Promise<void> {
  if (type === 'PNG') return decodeStrictly(bytes, size, 'error')
  try {
    await decodeStrictly(bytes, size, 'warning')
  } catch (error) {
    if (error instanceof Error && DAMAGED.test(error.message)) throw error
    await decodeStrictly(bytes, size, 'error')
  }
}

async function decodeStrictly(
  bytes: Uint8Array,
  { width, height }: ImageSize = { width: 1, height: 1 },
  failOn: 'error' | 'warning',
): Promise<void> {
  const image = sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn, sequentialRead: true })
  // a decoder of JPEGs halves by itself, and reads all rows for it
  if (width * height > MOST_WHOLE_PIXELS)
    image.resize(Math.ceil(width / 2), Math.ceil(height / 2), { fit: 'fill', kernel: 'nearest' })
  await image.raw().toBuffer()
}
