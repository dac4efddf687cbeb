import { PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import { type ObjectStore, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** An image in another compression; more is no picture that a page shows. */
const MAX_IMAGE_BYTES = 256 << 20

/**
 * @param image Whose last filter is a codec of images.
 * @returns what that codec gets; undefined where the filters before it cannot be undone.
 */
export function unpackImage(store: ObjectStore, image: PdfStream): Uint8Array | undefined {
  const filter = resolveObject(store, image.get('Filter'))
  if (!(filter instanceof PdfArray) || filter.length <= 1) return image.data
  const packed = new PdfStream(new PdfDict(), image.data)
  packed.set('Filter', new PdfArray([...filter].slice(0, -1)))
  return decodeContent(store, packed, MAX_IMAGE_BYTES)
}

/** @returns a JPEG from where the picture begins, which readers look for; undefined where there is none. */
export function unpackJpeg(store: ObjectStore, image: PdfStream): Uint8Array | undefined {
  const data = unpackImage(store, image)
  if (data === undefined) return undefined
  const start = Buffer.from(data.buffer, data.byteOffset, data.byteLength).indexOf('\xff\xd8', 0, 'latin1')
  return start < 0 ? undefined : data.subarray(start)
}
