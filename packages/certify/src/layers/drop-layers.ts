import { PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { decodeContent, joinContents, listContents } from '../pdf/read-content.ts'
import {
  makeStream,
  nameOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { cutHidden } from './cut-hidden.ts'

/** Stands in a copy for what a hidden layer owns, until it is cut out. */
export const HIDDEN_MARK = new PdfDict()

/** Content of one page or form, decoded. */
const MAX_CONTENT_BYTES = 128 << 20
/** Forms, patterns and glyphs that one document draws with. */
const MOST_DRAWINGS = 200_000

/** Something with content, and the resources that names in it mean. */
interface Drawing {
  content: { stream: PdfStream; number: number | undefined } | { page: PdfDict }
  resources: PdfDict
}

interface Dropping {
  store: ObjectStore
  waiting: Drawing[]
  /** By number of the stream and the resources: the stream's number, or that of its copy for these resources. */
  known: Map<PdfDict, Map<number, PdfRef>>
  /** Resources whose own entries have been looked at. */
  seen: Set<PdfDict>
  /** Glyphs as they were, by number. */
  glyphs: Map<number, PdfStream>
  nothing: PdfRef | undefined
}

/**
 * Cuts what hidden layers own out of the pages and out of everything that they draw, and takes the marks of the other layers
 * away. Afterwards nothing says that there were layers, so every reader on screen and paper shows the same.
 * @throws Refusal `unreadable` where it cannot be told what readers would show.
 */
export function dropLayers(store: ObjectStore, pages: readonly PdfRef[]): void {
  const dropping: Dropping = {
    store,
    waiting: [],
    known: new Map(),
    seen: new Set(),
    glyphs: new Map(),
    nothing: undefined,
  }
  for (const ref of pages) {
    const page = store.objects[ref.objectNumber]
    if (!(page instanceof PdfDict)) continue
    const resources = resolveObject(store, page.get('Resources'))
    dropping.waiting.push({ content: { page }, resources: resources instanceof PdfDict ? resources : new PdfDict() })
  }
  let drawings = 0
  for (let next = dropping.waiting.pop(); next !== undefined; next = dropping.waiting.pop()) {
    drawings += 1
    if (drawings > MOST_DRAWINGS) throw new Refusal('unreadable', 'more forms than anybody needs')
    cutContent(store, next)
    visitResources(dropping, next.resources)
  }
  // names of properties are needed until every content that uses them is cut
  for (const resources of dropping.seen) dropProperties(store, resources)
}

function cutContent(store: ObjectStore, { content, resources }: Drawing): void {
  const properties = resolveObject(store, resources.get('Properties'))
  const isHidden = (name: string): boolean =>
    properties instanceof PdfDict && resolveObject(store, properties.get(name)) === HIDDEN_MARK
  if ('page' in content) {
    const parts = listContents(store, content.page.get('Contents'))
    const joined = joinContents(store, parts)
    if (joined === undefined) throw new Refusal('unreadable', 'content with layers that cannot be decoded')
    const cut = cutHidden(joined, isHidden)
    if (cut !== undefined) content.page.set('Contents', registerObject(store, makeStream({}, cut)))
    return
  }
  const { stream, number } = content
  const decoded = decodeContent(store, stream, MAX_CONTENT_BYTES)
  if (decoded === undefined) throw new Refusal('unreadable', 'a form with layers that cannot be decoded')
  const cut = cutHidden(decoded, isHidden)
  if (cut === undefined || number === undefined) return
  store.objects[number] = makeStream(listEntries(stream), cut)
}

/** All but what says how the data are packed. */
function listEntries(stream: PdfStream): Record<string, PdfObject> {
  const entries: Record<string, PdfObject> = {}
  for (const [key, value] of stream) {
    if (!['Filter', 'DecodeParms', 'Length', 'DL'].includes(key.value)) entries[key.value] = value
  }
  return entries
}

function visitResources(dropping: Dropping, resources: PdfDict): void {
  if (dropping.seen.has(resources)) return
  dropping.seen.add(resources)
  const { store } = dropping
  replaceStreams(dropping, resources, 'XObject')
  replaceStreams(dropping, resources, 'Pattern')
  for (const font of listDicts(store, resources.get('Font'))) visitFont(dropping, font, resources)
  for (const state of listDicts(store, resources.get('ExtGState'))) {
    const mask = resolveObject(store, state.get('SMask'))
    if (mask instanceof PdfDict) {
      const group = visitStream(dropping, mask.get('G'), resources)
      if (group !== undefined) mask.set('G', group)
    }
    const font = resolveObject(store, state.get('Font'))
    const dict = font instanceof PdfArray ? resolveObject(store, font.at(0)) : undefined
    if (dict instanceof PdfDict) visitFont(dropping, dict, resources)
  }
}

/** Forms and patterns get the copies made for these resources; what a hidden layer owns becomes nothing. */
function replaceStreams(dropping: Dropping, resources: PdfDict, key: 'XObject' | 'Pattern'): void {
  const dict = resolveObject(dropping.store, resources.get(key))
  if (!(dict instanceof PdfDict)) return
  const replaced = new PdfDict()
  for (const [name, value] of dict) {
    const stream = resolveObject(dropping.store, value)
    const isHidden = key === 'XObject' && stream instanceof PdfStream && stream.get('OC') === HIDDEN_MARK
    replaced.set(name.value, isHidden ? drawNothing(dropping) : (visitStream(dropping, value, resources) ?? value))
  }
  resources.set(key, replaced)
}

function drawNothing(dropping: Dropping): PdfRef {
  const entries = { Type: nameOf('XObject'), Subtype: nameOf('Form'), BBox: numbersOf([0, 0, 0, 0]) }
  dropping.nothing ??= registerObject(dropping.store, makeStream({ ...entries, Resources: new PdfDict() }, ''))
  return dropping.nothing
}

function visitFont(dropping: Dropping, font: PdfDict, resources: PdfDict): void {
  const glyphs = resolveObject(dropping.store, font.get('CharProcs'))
  if (!(glyphs instanceof PdfDict)) return
  const own = resolveObject(dropping.store, font.get('Resources'))
  const drawnWith = own instanceof PdfDict ? own : resources
  const replaced = new PdfDict()
  for (const [name, glyph] of glyphs) replaced.set(name.value, visitGlyph(dropping, glyph, drawnWith))
  font.set('CharProcs', replaced)
}

/** @returns the glyph, or a copy where it is also drawn with other resources. */
function visitGlyph(dropping: Dropping, glyph: PdfObject, resources: PdfDict): PdfObject {
  const stream = resolveObject(dropping.store, glyph)
  if (!(glyph instanceof PdfRef) || !(stream instanceof PdfStream)) return glyph
  const known = rememberFor(dropping, resources)
  const done = known.get(glyph.objectNumber)
  if (done !== undefined) return done
  const original = dropping.glyphs.get(glyph.objectNumber)
  const own = original === undefined ? stream : new PdfStream(original, original.data)
  const ref = original === undefined ? glyph : registerObject(dropping.store, own)
  dropping.glyphs.set(glyph.objectNumber, original ?? stream)
  known.set(glyph.objectNumber, ref)
  known.set(ref.objectNumber, ref)
  dropping.waiting.push({ content: { stream: own, number: ref.objectNumber }, resources })
  return ref
}

/** @returns the form or pattern to draw with; undefined for images, shadings and what is no stream. */
function visitStream(dropping: Dropping, object: PdfObject | undefined, outer: PdfDict): PdfRef | undefined {
  const { store } = dropping
  const stream = resolveObject(store, object)
  if (!(object instanceof PdfRef) || !(stream instanceof PdfStream) || isNamed(stream.get('Subtype'), 'Image'))
    return undefined
  const own = resolveObject(store, stream.get('Resources'))
  const resources = own instanceof PdfDict ? own : outer
  const known = rememberFor(dropping, resources)
  const done = known.get(object.objectNumber)
  if (done !== undefined) return done
  stream.delete('OC')
  // names in a form without resources mean those of whoever draws it, so it gets them, in a copy of its own
  const copy = own instanceof PdfDict ? undefined : new PdfStream(stream, stream.data)
  copy?.set('Resources', outer)
  const ref = copy === undefined ? object : registerObject(store, copy)
  known.set(object.objectNumber, ref)
  known.set(ref.objectNumber, ref)
  dropping.waiting.push({ content: { stream: copy ?? stream, number: ref.objectNumber }, resources })
  return ref
}

function rememberFor(dropping: Dropping, resources: PdfDict): Map<number, PdfRef> {
  const known = dropping.known.get(resources) ?? new Map<number, PdfRef>()
  dropping.known.set(resources, known)
  return known
}

function dropProperties(store: ObjectStore, resources: PdfDict): void {
  const properties = resolveObject(store, resources.get('Properties'))
  if (!(properties instanceof PdfDict)) return
  const kept = new PdfDict()
  for (const [name, value] of properties) if (value !== HIDDEN_MARK) kept.set(name.value, value)
  resources.set('Properties', kept)
}

function listDicts(store: ObjectStore, object: PdfObject | undefined): PdfDict[] {
  const dict = resolveObject(store, object)
  if (!(dict instanceof PdfDict)) return []
  return [...dict].map(([, value]) => resolveObject(store, value)).filter((value) => value instanceof PdfDict)
}

function isNamed(object: PdfObject | undefined, name: string): boolean {
  return object instanceof PdfName && object.value === name
}
