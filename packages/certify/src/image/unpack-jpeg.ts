import { PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import { type ObjectStore, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** A JPEG in another compression; more is no picture that a page shows. */
const MAX_JPEG_BYTES = 256 << 20

/**
 * @param image Whose last filter is `DCTDecode`.
 * @returns the JPEG from where the picture begins, which readers look for; undefined where there is none.
 */
export function unpackJpeg(store: ObjectStore, image: PdfStream): Uint8Array | undefined {
  const filter = resolveObject(store, image.get('Filter'))
  let data: Uint8Array | undefined = image.data
  if (filter instanceof PdfArray && filter.length > 1) {
    const packed = new PdfStream(new PdfDict(), image.data)
    packed.set('Filter', new PdfArray([...filter].slice(0, -1)))
    data = decodeContent(store, packed, MAX_JPEG_BYTES)
  }
  if (data === undefined) return undefined
  const start = Buffer.from(data.buffer, data.byteOffset, data.byteLength).indexOf('\xff\xd8', 0, 'latin1')
  return start < 0 ? undefined : data.subarray(start)
}
