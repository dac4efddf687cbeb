import { PdfDict, PdfName, type PdfRef, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { Disagreement, Refusal } from '../errors.ts'
import { inflateUnchecked } from '../pdf/inflate-unchecked.ts'
import { listFilters } from '../pdf/measure-stream.ts'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { leastScale } from '../pdf/simple-path.ts'
import { hasDeflateHeader } from '../pdf/trim-start.ts'
import { checkInlineEntries } from './check-inline-entries.ts'
import { checkInlineImages } from './check-inline-images.ts'
import { type Call, checkOperators, type Start } from './check-operators.ts'
import { checkNesting, type Nesting, noteDraws } from './check-nesting.ts'
import { BLACK, UNKNOWN } from './follow-colours.ts'
import { listPaintedWith } from './list-painted-with.ts'
import { listShownLetters } from './list-shown-letters.ts'
import { readInlineImages } from './inline-image-ends.ts'
import { listGlyphs, listLetters } from '../fonts/list-glyphs.ts'
import { isForm, readMatrix } from '../drawing/read-form.ts'
import { OPAQUE } from '../drawing/read-opacity.ts'
import { type Paint, readPaint } from '../drawing/read-paint.ts'
import { roundScale } from '../drawing/round-scale.ts'

/** What has passed `checkObjects` unpacks to less. */
const MAX_CONTENT_BYTES = 1 << 30
/** What can be drawn as text only by a reader that is out of its mind. */
const IMAGE_CODECS = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])

/** Content as something draws it: with resources, with what is chosen there, and how large. */
interface Drawing {
  stream: PdfStream
  resources: PdfObject | undefined
  start: Start
}

interface Looking {
  store: ObjectStore
  glyphs: ReturnType<typeof listGlyphs>
  paints: Map<PdfObject | undefined, Paint>
  /** Content that was looked at, by the ways in which it was drawn. */
  seen: Map<PdfStream, Map<Paint, Set<string>>>
  /** Those among operators, which are still to be decoded. */
  jpegs: Uint8Array[]
  nestings: Map<PdfStream, Nesting>
}

/**
 * Looks into everything that draws: pages, the forms that they draw in whichever way they draw them, and then other forms, tiles and
 * glyphs. Operators count where the pages need them; of a field only one of several looks is drawn.
 * @param needed Numbers of the objects that the pages need.
 * @returns JPEGs among operators, which are still to be decoded.
 * @throws Refusal `image_too_large`, `too_slow`, or `unreadable` where readers would not agree on what is drawn.
 */
export function checkDrawn(store: ObjectStore, pages: readonly PdfRef[], needed: ReadonlySet<number>): Uint8Array[] {
  const glyphs = listGlyphs(store)
  const looking: Looking = { store, glyphs, paints: new Map(), seen: new Map(), jpegs: [], nestings: new Map() }
  for (const page of pages) follow(looking, listPageForms(store, page))
  for (const [number, object] of store.objects.entries()) {
    if (!(object instanceof PdfStream) || isImage(store, object) || looking.seen.has(object)) continue
    const isTile = object.has('PatternType')
    const isContent = looking.glyphs.has(object) || isTile || isForm(store, object)
    // how large letters come to be is said where they are shown; all else counts as on the page
    const scale = looking.glyphs.has(object) ? undefined : placeScale(store, object, 1)
    const start = { chosen: isTile ? BLACK : UNKNOWN, scale, isTile }
    const own = object.get('Resources')
    const all = own === undefined ? [...(looking.glyphs.get(object) ?? [undefined])] : [own]
    if (isContent && needed.has(number))
      follow(
        looking,
        all.map((resources) => ({ stream: object, resources, start })),
      )
    else lookForImages(looking, object, isContent)
  }
  checkNesting(looking.nestings)
  return looking.jpegs
}

function listPageForms(store: ObjectStore, page: PdfRef): Drawing[] {
  const dict = resolveObject(store, page)
  const resources = dict instanceof PdfDict ? resolveObject(store, dict.get('Resources')) : undefined
  const lists = resources instanceof PdfDict ? readPaint(store, resources).forms : new Map<string, PdfStream>()
  return [...lists.values()].map((stream) => ({
    stream,
    resources: stream.get('Resources'),
    start: { chosen: BLACK, scale: placeScale(store, stream, 1) },
  }))
}

/** A form that brings no resources has those of what draws it, and begins with what is chosen there. */
function follow(looking: Looking, drawings: readonly Drawing[]): void {
  const waiting = [...drawings]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { stream, start } = next
    const resources = resolveObject(looking.store, next.resources)
    const paint = looking.paints.get(resources) ?? readPaint(looking.store, resources)
    looking.paints.set(resources, paint)
    if (!isNew(looking, stream, paint, start)) continue
    const content = lookForImages(looking, stream, true, resources)
    if (content === undefined) continue
    const called = checkOperators(content, findKind(looking, stream), paint, start).flatMap((call) =>
      listCalled(looking.store, call, paint, resources),
    )
    noteDraws(looking.nestings, stream, content.length, listDrawn(looking.store, { stream, content, paint, called }))
    for (const drawing of called) waiting.push(drawing)
  }
}

/** As often as readers draw it. */
function* listDrawn(
  store: ObjectStore,
  { stream, content, paint, called }: { stream: PdfStream; content: Buffer; paint: Paint; called: readonly Drawing[] },
): Generator<PdfStream> {
  for (const drawing of called) yield drawing.stream
  for (const drawn of listPaintedWith(content, paint)) {
    if (drawn === stream) throw new Disagreement('a mask behind itself')
    yield drawn
  }
  yield* listShownLetters(store, content, paint)
}

function listCalled(
  store: ObjectStore,
  {
    kind,
    name,
    chosen,
    scale,
    dashes = 0,
    textMode = 0,
    isStretched = false,
    opacity: around = OPAQUE,
    isLetter = false,
    isTile = false,
  }: Call,
  paint: Paint,
  resources: PdfObject | undefined,
): Drawing[] {
  const drawn = kind === 'font' ? paint.drawnFonts.get(name) : paint.forms.get(name)
  if (drawn === undefined) return []
  const placed =
    scale === undefined ? undefined : placeScale(store, drawn, scale, kind === 'font' ? 'FontMatrix' : 'Matrix')
  const isGroup = drawn.has('Group')
  // PDFium masks such a form, and once more each thing in it, and others only these
  if (around.isMasked && !isGroup && drawn instanceof PdfStream)
    throw new Disagreement('a form behind a mask that is no group')
  const opacity = isGroup ? OPAQUE : around
  const start = { chosen, scale: placed, isCalled: true, dashes, textMode, isStretched, opacity, isLetter, isTile }
  return (drawn instanceof PdfStream ? [drawn] : listLetters(store, drawn)).map((stream) => ({
    stream,
    resources: drawn.get('Resources') ?? resources,
    start,
  }))
}

const placeScale = (store: ObjectStore, drawn: PdfDict, scale: number, key?: 'Matrix' | 'FontMatrix'): number =>
  roundScale(scale * leastScale(readMatrix(store, drawn, key)))

/** Whether it was not drawn in this way before. */
function isNew({ seen }: Looking, stream: PdfStream, paint: Paint, start: Start): boolean {
  const ways = seen.get(stream) ?? new Map<Paint, Set<string>>()
  seen.set(stream, ways)
  const starts = ways.get(paint) ?? new Set<string>()
  ways.set(paint, starts)
  const key = JSON.stringify(start)
  if (starts.has(key)) return false
  starts.add(key)
  return true
}

function findKind({ store, glyphs }: Looking, stream: PdfStream): 'glyph' | 'stencil' | 'page' {
  if (glyphs.has(stream)) return 'glyph'
  const isPlain = readNumber(stream.get('PaintType'), (object) => resolveObject(store, object)) === 2
  return stream.has('PatternType') && isPlain ? 'stencil' : 'page'
}

/** @returns the content, undefined where nobody draws it. */
function lookForImages(
  { store, seen, jpegs }: Looking,
  stream: PdfStream,
  isContent: boolean,
  resources?: PdfObject,
): Buffer | undefined {
  const content = decodeContent(store, stream, isContent)
  const isFollowed = seen.has(stream)
  const isFirst = [...(seen.get(stream)?.values() ?? [])].reduce((count, starts) => count + starts.size, 0) <= 1
  if (content === undefined) return undefined
  if (isFirst) {
    const found = checkInlineImages(content, isDrawn(store, stream))
    jpegs.push(...found.jpegs)
    if (isFollowed) checkInlineEntries(store, content, found.images, resources)
  } else if (isFollowed && [...(seen.get(stream)?.values() ?? [])].at(-1)?.size === 1)
    checkInlineEntries(store, content, readInlineImages(content).images, resources)
  return content
}

function isImage(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  return subtype instanceof PdfName && subtype.value === 'Image' && stream.has('Width') && stream.has('Height')
}

/** Content says what it is; glyphs say nothing, and neither do data of fonts, profiles and tables. */
function isDrawn(store: ObjectStore, stream: PdfStream): boolean {
  return resolveObject(store, stream.get('Subtype')) instanceof PdfName ? isForm(store, stream) : !stream.has('Length1')
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
