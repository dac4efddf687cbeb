import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import sharp from 'sharp'

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
  size: ImageSize | undefined,
  failOn: 'error' | 'warning',
): Promise<void> {
  const image = sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn, sequentialRead: true })
  // one column takes every row, and is all that is kept
  if (size !== undefined) image.extract({ left: 0, top: 0, width: 1, height: size.height })
  await image.raw().toBuffer()
}
