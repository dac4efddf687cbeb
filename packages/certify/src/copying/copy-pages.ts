import { PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { findActiveEntry, findActiveKind, listCatalogKinds } from './active-content.ts'
import { drawMarkup } from '../annotations/draw-markup.ts'
import { flattenAnnotations } from '../annotations/flatten-annotations.ts'
import { giveResources } from '../annotations/give-resources.ts'
import { drawAppearances } from '../forms/draw-appearances.ts'
import { dropLayers, HIDDEN_MARK } from '../layers/drop-layers.ts'
import { type LayerStates, readLayerStates } from '../layers/layer-states.ts'
import { isMisplaced } from '../pdf/check-place.ts'
import type { LoadedPdf } from '../pdf/load-pdf.ts'
import { isReadOtherwise, listOddEntries, type OddEntries } from '../pdf/odd-entries.ts'
import { spellFilters } from '../pdf/filter-names.ts'
import { type Resolve, resolveIn } from '../pdf/resolve-in.ts'
import { settleContent } from '../pdf/settle-content.ts'
import { hasDeflateHeader, isDeflated, trimStart } from '../pdf/trim-start.ts'
import { type ObjectStore, type PdfObject, registerObject } from '../pdf/object-store.ts'
import { type Names, readNames, readStates } from './free-names.ts'
import { findRepeated, repeatPages } from './repeat-pages.ts'
import { notePaintingArray, notePaintingEntry, type PaintNotes, settlePaint, startPaintNotes } from './settle-paint.ts'

/** Left out: tree links, active content, and what only makes sense inside the whole original file. */
const DROPPED_FROM_PAGES = new Set(
  ['Parent', 'AA', 'B', 'Thumb', 'StructParents', 'Tabs', 'PieceInfo', 'Metadata', 'Dur', 'Trans'].concat([
    'AF',
    'DPart',
    'PresSteps',
    'TemplateInstantiated',
    'ID',
    'LastModified',
    'SeparationInfo',
  ]),
)

/** Structure trees and their back links are not copied: they point to everything. */
const DROPPED_EVERYWHERE = new Set([
  'StructParent',
  'StructParents',
  'StructTreeRoot',
  'OCProperties',
  // what programs leave to themselves: their drawings as they edit them, and whence they took a figure, with its path
  'PieceInfo',
  'PTEX.FileName',
  'PTEX.InfoDict',
  'PTEX.PageNumber',
])

/** Parts of the old file that must not be pulled in by a stray reference. */
const FOREIGN_TYPES = new Set([
  'Page',
  'Pages',
  'Catalog',
  'ObjStm',
  'XRef',
  'StructTreeRoot',
  'StructElem',
  'EmbeddedFile',
])

/** The scanner of revision 0 reads at most 500 levels; the difference is for what is wrapped around. */
const MAX_NESTING = 400

export interface CopiedPages {
  /** References in the new file, in page order. The pages have no /Parent yet. */
  pages: PdfRef[]
  /** Kinds of active content left out, each once, sorted. */
  removed: string[]
  /** A filled signature field was there; its signature is void in the copy and was left out. */
  wasSigned: boolean
}

interface Copying {
  source: PDF
  /** What the source was read from. */
  file: Buffer
  oddEntries: OddEntries
  store: ObjectStore
  /** Source object number and generation → reference in the new file, and what the keys of the object are. */
  copies: Map<string, { ref: PdfRef; names: Names }>
  /** Containers registered, whose entries are still to be copied. */
  waiting: { from: PdfObject; to: PdfObject; names: Names }[]
  removed: Set<string>
  wasSigned: boolean
  layers: LayerStates
  paint: PaintNotes
}

/**
 * Copies every page with all it needs into the new file. Works from a list instead of recursion, so a chain of 100,000
 * references does not end the stack. References to nothing are dropped. What the pages show on a screen is all that they hold
 * afterwards: no layers, and of annotations only links.
 * @throws Refusal `unreadable` when a direct object is nested too deeply, or readers would not agree on what layers show; `ambiguous` when
 * a form value would be lost, or an object is elsewhere than the file says.
 */
export async function copyPages(
  { pdf: source, pages: named }: LoadedPdf,
  bytes: Uint8Array,
  store: ObjectStore,
): Promise<CopiedPages> {
  const resolve = resolveIn(source)
  const { sources, places } = findRepeated(named)
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const copying: Copying = {
    source,
    file,
    oddEntries: source.recoveredViaBruteForce ? new Map() : listOddEntries(file),
    store,
    copies: new Map(),
    waiting: [],
    removed: new Set(),
    wasSigned: false,
    layers: readLayerStates(source, resolve),
    paint: startPaintNotes(),
  }
  noteCatalogActions(copying)
  await drawAppearances(source, sources)
  drawMarkup(source, sources, resolve)
  giveResources(source, sources, resolve)
  // every page gets its number first, so that links between pages of this file stay links
  const pairs = sources.map((page) => {
    const to = new PdfDict()
    const ref = registerObject(store, to)
    if (page.ref !== undefined && !copying.copies.has(keyOf(page.ref)))
      copying.copies.set(keyOf(page.ref), { ref, names: 'standard' })
    return { from: page.dict, inherited: page.inherited, to, ref }
  })
  for (const { from, inherited, to } of pairs) {
    for (const [key, value] of from) {
      const kind = findActiveEntry(from, key.value, resolveIn(source))
      if (kind !== undefined) copying.removed.add(kind)
      else if (!DROPPED_FROM_PAGES.has(key.value)) copyEntry(copying, to, key.value, value)
    }
    for (const [key, value] of inherited) {
      if (!to.has(key)) copyEntry(copying, to, key, value)
    }
    copyWaiting(copying)
  }
  settlePaint(store, copying.paint)
  const pages = pairs.map((pair) => pair.ref)
  for (const { to } of pairs) {
    settleContent(store, to)
    flattenAnnotations(store, to)
  }
  if (copying.layers.hasLayers) dropLayers(store, pages)
  return {
    pages: repeatPages(store, pages, places),
    removed: [...copying.removed].sort(),
    wasSigned: copying.wasSigned,
  }
}

const keyOf = (ref: PdfRef): string => `${ref.objectNumber} ${ref.generation}`

function copyWaiting(copying: Copying): void {
  for (let pair = copying.waiting.pop(); pair !== undefined; pair = copying.waiting.pop()) {
    const { from, to, names } = pair
    if (from instanceof PdfDict && to instanceof PdfDict) copyNamed(copying, from, to, names, 0)
    if (from instanceof PdfArray && to instanceof PdfArray) copyItems(copying, from, to, 0)
  }
}

function copyNamed(copying: Copying, from: PdfDict, to: PdfDict, names: Names, depth: number): void {
  if (names === 'standard') copyEntries(copying, from, to, depth)
  else copyList(copying, from, to, names, depth)
}

function copyItems(copying: Copying, from: PdfArray, to: PdfArray, depth: number): void {
  for (const item of from) {
    const copy = copyObject(copying, item, depth)
    if (copy !== undefined) to.push(copy)
  }
  notePaintingArray(copying.paint, to)
}

/** Whatever the names are: a font may be called as an action is. */
function copyList(copying: Copying, from: PdfDict, to: PdfDict, names: Names, depth: number): void {
  const resolve = resolveIn(copying.source)
  for (const [key, value] of from) {
    const copy = copyObject(copying, value, depth + 1, names === 'looks' ? readStates(value, resolve) : 'standard')
    if (copy !== undefined) to.set(key.value, copy)
  }
}

function copyEntries(copying: Copying, from: PdfDict, to: PdfDict, depth: number): void {
  const resolve = resolveIn(copying.source)
  if (isSignatureField(from, resolve) || isPlayer(from, findActiveKind(from, resolve))) {
    copyPicture(copying, from, to)
    return
  }
  if (from instanceof PdfStream && from.has('OC') && !(resolve(from.get('OC')) instanceof PdfDict)) {
    throw new Disagreement('a form of a layer that cannot be found: some readers show it, others do not')
  }
  for (const [key, value] of from) {
    const kind = findActiveEntry(from, key.value, resolveIn(copying.source))
    if (kind !== undefined) copying.removed.add(kind)
    else if (key.value === 'OC') markHidden(copying, to, value)
    else if (key.value === 'Filter' && to instanceof PdfStream)
      copyEntry(copying, to, 'Filter', spellFilters(value), depth)
    else if (!DROPPED_EVERYWHERE.has(key.value)) copyEntry(copying, to, key.value, value, depth, from)
  }
}

/** A visible signature or player keeps its picture on the page, as a stamp that is neither field nor action. */
function copyPicture(copying: Copying, from: PdfDict, to: PdfDict): void {
  for (const key of ['Type', 'Rect', 'AP', 'AS', 'F', 'P']) copyEntry(copying, to, key, from.get(key))
  markHidden(copying, to, from.get('OC'))
  to.set('Subtype', PdfName.of('Stamp'))
}

function markHidden(copying: Copying, to: PdfDict, membership: PdfObject | undefined): void {
  if (copying.layers.isHidden(membership)) to.set('OC', HIDDEN_MARK)
}

function copyEntry(
  copying: Copying,
  to: PdfDict,
  key: string,
  value: PdfObject | undefined,
  depth = 0,
  from = to,
): void {
  if (value === undefined) return
  const copy = copyObject(copying, value, depth + 1, readNames(from, key, value, resolveIn(copying.source)))
  if (copy === undefined) return
  to.set(key, copy)
  notePaintingEntry(copying.paint, to, key)
}

/** @returns undefined for what must not be copied. */
function copyObject(
  copying: Copying,
  object: PdfObject,
  depth: number,
  names: Names = 'standard',
): PdfObject | undefined {
  if (depth > MAX_NESTING) throw new Refusal('unreadable', 'objects are nested too deeply')
  if (object instanceof PdfRef) return copyReference(copying, object, names)
  if (object instanceof PdfDict) {
    if (isLayer(object, copying)) return copying.layers.isHidden(object) ? HIDDEN_MARK : undefined
    if (names === 'standard' && isLeftOut(copying, object)) return undefined
    const to = object instanceof PdfStream ? new PdfStream(new PdfDict(), object.data) : new PdfDict()
    copyNamed(copying, object, to, names, depth + 1)
    return to
  }
  if (object instanceof PdfArray) {
    const to = new PdfArray()
    copyItems(copying, object, to, depth + 1)
    return to
  }
  return object
}

function copyReference(copying: Copying, ref: PdfRef, names: Names): PdfObject | undefined {
  const known = copying.copies.get(keyOf(ref))
  if (known !== undefined && known.names !== names)
    throw new Disagreement('a dictionary that is a list of names in one place and not in another')
  if (known !== undefined) return known.ref
  const from = resolveIn(copying.source)(ref)
  if (from === undefined || from === null) return undefined
  if (from instanceof PdfStream && copying.source.isEncrypted) checkDecrypted(from)
  if (from instanceof PdfStream && isElsewhere(copying, from, ref))
    throw new Refusal('ambiguous', 'the table of objects leads to another object than it says')
  if (!(from instanceof PdfDict) && !(from instanceof PdfArray)) return from
  if (from instanceof PdfDict && isLayer(from, copying)) return copying.layers.isHidden(ref) ? HIDDEN_MARK : undefined
  if (from instanceof PdfDict && (isForeign(from) || (names === 'standard' && isLeftOut(copying, from))))
    return undefined
  const to =
    from instanceof PdfStream
      ? new PdfStream(new PdfDict(), trimStart(from))
      : from instanceof PdfDict
        ? new PdfDict()
        : new PdfArray()
  const copy = registerObject(copying.store, to)
  copying.copies.set(keyOf(ref), { ref: copy, names })
  copying.waiting.push({ from, to, names })
  return copy
}

/** Whoever searched for the objects has found each at its place. */
function isElsewhere({ source, file, oddEntries }: Copying, stream: PdfStream, ref: PdfRef): boolean {
  if (source.recoveredViaBruteForce) return false
  return isMisplaced(stream, ref, file) || isReadOtherwise(stream, ref, file, oddEntries)
}

/**
 * The parser hands over what it cannot decrypt as it stands, and a page would come out blank. Deflated data tell by how they
 * begin; other data do not.
 * @throws Refusal `unreadable`.
 */
function checkDecrypted(stream: PdfStream): void {
  const data = trimStart(stream)
  if (data.length > 1 && isDeflated(stream) && !hasDeflateHeader(data)) {
    throw new Refusal('unreadable', 'a stream that cannot be decrypted')
  }
}

/** A group or membership: in the copy only the mark of a hidden one stands in its place, until that is cut out. */
function isLayer(dict: PdfDict, { source }: Copying): boolean {
  const type = resolveIn(source)(dict.get('Type'))
  return type instanceof PdfName && (type.value === 'OCG' || type.value === 'OCMD')
}

function isForeign(dict: PdfDict): boolean {
  const type = dict.get('Type')
  return type instanceof PdfName && FOREIGN_TYPES.has(type.value)
}

/** Active content, and signature fields that show nothing: their signatures speak of a file that no longer exists. */
function isLeftOut(copying: Copying, dict: PdfDict): boolean {
  const resolve = resolveIn(copying.source)
  const kind = findActiveKind(dict, resolve)
  if (kind !== undefined) {
    copying.removed.add(kind)
    return !isPlayer(dict, kind)
  }
  if (!isSignatureField(dict, resolve)) return false
  if (resolve(dict.get('V')) instanceof PdfDict) copying.wasSigned = true
  return !dict.has('AP') || !dict.has('Rect')
}

/** An annotation that is active by its kind, and shows something. */
function isPlayer(dict: PdfDict, kind: string | undefined): boolean {
  const subtype = dict.get('Subtype')
  return (
    kind !== undefined && subtype instanceof PdfName && subtype.value === kind && dict.has('Rect') && dict.has('AP')
  )
}

/** @returns true for a signature field and for each of its widgets. */
function isSignatureField(dict: PdfDict, resolve: Resolve): boolean {
  let field: PdfObject | null | undefined = dict
  for (let level = 0; field instanceof PdfDict && level < 16; level++) {
    const type = resolve(field.get('FT'))
    if (type !== undefined && type !== null) return type instanceof PdfName && type.value === 'Sig'
    const subtype = resolve(field.get('Subtype'))
    if (level === 0 && !(subtype instanceof PdfName && subtype.value === 'Widget')) return false
    field = resolve(field.get('Parent'))
  }
  return false
}

/** The catalog is not copied; what it would have run is only listed. */
function noteCatalogActions(copying: Copying): void {
  const resolve = resolveIn(copying.source)
  const catalog = copying.source.getCatalog()
  for (const kind of listCatalogKinds(catalog, resolve)) copying.removed.add(kind)
  const form = resolve(catalog.get('AcroForm'))
  if (form instanceof PdfDict && hasSignedField(form, resolve)) copying.wasSigned = true
}

function hasSignedField(form: PdfDict, resolve: Resolve): boolean {
  const fields = resolve(form.get('Fields'))
  if (!(fields instanceof PdfArray)) return false
  for (const item of fields) {
    const field = resolve(item)
    if (!(field instanceof PdfDict)) continue
    const type = resolve(field.get('FT'))
    if (type instanceof PdfName && type.value === 'Sig' && resolve(field.get('V')) instanceof PdfDict) return true
  }
  return false
}
