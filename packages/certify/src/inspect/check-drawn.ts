import { PdfName, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { inflateUnchecked } from '../pdf/inflate-unchecked.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { hasDeflateHeader } from '../pdf/trim-start.ts'
import { checkInlineImages } from './check-inline-images.ts'
import { checkOperators } from './check-operators.ts'
import { listGlyphs } from './list-glyphs.ts'
import { readPaint } from './read-paint.ts'

/** What has passed `checkObjects` unpacks to less. */
const MAX_CONTENT_BYTES = 1 << 30
/** What can be drawn as text only by a reader that is out of its mind. */
const IMAGE_CODECS = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])

/**
 * Looks into everything that draws: pages, which are forms by now, other forms, tiles and glyphs. Their operators count where the
 * pages need them; of a field only one of several looks is drawn.
 * @param needed Numbers of the objects that the pages need.
 * @returns JPEGs among operators, which are still to be decoded.
 * @throws Refusal `image_too_large`, or `unreadable` where readers would not agree on what is drawn.
 */
export function checkDrawn(store: ObjectStore, needed: ReadonlySet<number>): Uint8Array[] {
  const jpegs: Uint8Array[] = []
  const glyphs = listGlyphs(store)
  for (const [number, object] of store.objects.entries()) {
    if (!(object instanceof PdfStream) || isImage(store, object)) continue
    const isContent = glyphs.has(object) || object.has('PatternType') || isForm(store, object)
    const content = decodeContent(store, object, isContent)
    if (content === undefined) continue
    jpegs.push(...checkInlineImages(content, isDrawn(store, object)))
    if (isContent && needed.has(number)) {
      const isPlain = readNumber(object.get('PaintType'), (entry) => resolveObject(store, entry)) === 2
      const kind = glyphs.has(object) ? 'glyph' : isPlain ? 'stencil' : 'page'
      checkOperators(content, kind, readPaint(store, object.get('Resources') ?? glyphs.get(object)))
    }
  }
  return jpegs
}

function isImage(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  return subtype instanceof PdfName && subtype.value === 'Image' && stream.has('Width') && stream.has('Height')
}

/** Content says what it is; glyphs say nothing, and neither do data of fonts, profiles and tables. */
function isDrawn(store: ObjectStore, stream: PdfStream): boolean {
  return resolveObject(store, stream.get('Subtype')) instanceof PdfName ? isForm(store, stream) : !stream.has('Length1')
}

function isForm(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  return subtype instanceof PdfName && subtype.value === 'Form'
}

/** Undefined when it holds no text, or cannot be unpacked: then nobody draws it. */
function decodeContent(store: ObjectStore, stream: PdfStream, isContent: boolean): Buffer | undefined {
  const filters = listFilters(stream, (object: PdfObject | undefined) => resolveObject(store, object))
  if (filters.some((filter) => IMAGE_CODECS.has(filter))) return undefined
  if (filters.length === 0) return toBuffer(stream.data)
  try {
    if (filters.join() !== 'FlateDecode' || stream.has('DecodeParms')) return toBuffer(stream.getDecodedData())
    return inflateSync(stream.data, { maxOutputLength: MAX_CONTENT_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    if (error instanceof Refusal) throw error
    const inflated = filters[0] === 'FlateDecode' ? inflateUnchecked(stream.data, MAX_CONTENT_BYTES) : undefined
    // without a beginning nobody draws it
    if (inflated === undefined && hasDeflateHeader(stream.data) && isContent) {
      throw new Refusal('unreadable', 'content with a fault within its data: some readers go on behind it, others stop')
    }
    return inflated
  }
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
