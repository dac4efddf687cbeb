import { PdfName, PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { checkJpegScans } from '../image/check-jpeg-scans.ts'
import { readJpegHeader } from '../image/jpeg-header.ts'
import { unpackJpeg } from '../image/unpack-image.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { type ObjectStore, resolveObject } from '../pdf/object-store.ts'
import { decodeImage } from './decode-image.ts'

/**
 * Decodes every JPEG. Behind a fault in its data some readers go on where the next mark lets them, some show grey, and the
 * reviewer's shows nothing of the picture (ITU-T T.81 section E.2).
 * @throws Refusal `unreadable`.
 */
export async function checkJpegs(jpegs: Iterable<Uint8Array>): Promise<void> {
  for (const jpeg of jpegs) {
    const header = readJpegHeader(jpeg)
    // without a frame nobody draws it
    if (header === undefined) continue
    checkJpegScans(jpeg)
    try {
      await decodeImage(jpeg, 'JPEG', header)
    } catch (error) {
      throw new Refusal('unreadable', 'a JPEG with a fault within its data', { cause: error })
    }
  }
}

/** One after the other: unpacked, all of them may be far more than the file. @param objects What is drawn. */
export function* listJpegs(store: ObjectStore, objects: Iterable<number>): Generator<Uint8Array> {
  for (const number of objects) {
    const image = store.objects[number]
    const data = image instanceof PdfStream && isJpeg(store, image) ? unpackJpeg(store, image) : undefined
    if (data !== undefined) yield data
  }
}

function isJpeg(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  if (!(subtype instanceof PdfName && subtype.value === 'Image')) return false
  return listFilters(stream, (object) => resolveObject(store, object)).at(-1) === 'DCTDecode'
}
