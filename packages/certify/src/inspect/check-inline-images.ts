import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { PdfName, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { inflateUnchecked } from '../pdf/inflate-unchecked.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'
import { readNameEscapes } from '../pdf/read-name-escapes.ts'
import { hasDeflateHeader } from '../pdf/trim-start.ts'
import { listGlyphs } from './list-glyphs.ts'
import { checkInlineImageEnds, type InlineImages, readInlineImages } from './inline-image-ends.ts'

/** What has passed `checkObjects` unpacks to less. */
const MAX_CONTENT_BYTES = 1 << 30
/** What can be drawn as text only by a reader that is out of its mind. */
const IMAGE_CODECS = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])
const NONE: InlineImages = { images: [], hasStrayEnd: false }
/** A name and a number behind it; comments may stand between them. */
const NUMBERED = /\/([\w#]{1,18})[\s\0]*(?:%[^\r\n]*[\r\n][\s\0]*)*([+\-.\d][+\-.\dE]*)/gi

/**
 * Looks in everything that draws for images that stand among its operators (`BI`, `ID`, `EI`; ISO 32000-2 section 8.9.7).
 * @throws Refusal `image_too_large`, or `unreadable` where readers would not agree where one ends.
 */
export function checkInlineImages(store: ObjectStore): void {
  const glyphs = listGlyphs(store)
  for (const object of store.objects) {
    if (!(object instanceof PdfStream) || isImage(store, object)) continue
    const isContent = glyphs.has(object) || object.has('PatternType') || isForm(store, object)
    const content = decodeContent(store, object, isContent)
    if (content === undefined || !content.includes('BI')) continue
    const found = isDrawn(store, object) ? readInlineImages(content) : NONE
    const { widest, highest } = measureNamed(withoutLetters(content, found))
    // where an image begins and ends readers do not agree, so the widest counts with the highest
    if (widest * highest > IMAGE_MAX_PIXELS) throw new Refusal('image_too_large', 'an image among operators')
    checkInlineImageEnds(content, found)
  }
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

/** The text of content, but for data in letters, which may look like names and numbers. */
function withoutLetters(content: Buffer, { images }: InlineImages): string {
  const kept: string[] = []
  let at = 0
  for (const { data, lettersEnd } of images) {
    if (lettersEnd === undefined) continue
    kept.push(content.toString('latin1', at, data))
    at = lettersEnd
  }
  return [...kept, content.toString('latin1', at)].join(' ')
}

function measureNamed(content: string): { widest: number; highest: number } {
  let widest = 0
  let highest = 0
  for (const [, name = '', digits = ''] of content.matchAll(NUMBERED)) {
    const plain = readNameEscapes(name)
    if (plain === 'W' || plain === 'Width') widest = Math.max(widest, readAtMost(digits))
    if (plain === 'H' || plain === 'Height') highest = Math.max(highest, readAtMost(digits))
  }
  return { widest, highest }
}

/** The most that any reader makes of such a number: some heed exponents, some pass over signs within. */
function readAtMost(digits: string): number {
  return /e/i.test(digits) ? Infinity : Number.parseFloat(digits.replaceAll(/[+-]/g, '')) || 0
}
