import { PdfArray, PdfDict, PdfName, PdfStream, PdfString } from '@libpdf/core'
import type { PdfObject } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/**
 * Actions (ISO 32000-2 table 201) that run something, send something or reach outside the file, wherever they stand, and those
 * that speak of what a copy has no more: layers, threads and parts. `GoTo`, `Named` that turns pages, and `URI` with a safe
 * address stay: they do nothing until somebody clicks, and then only lead somewhere.
 */
const ACTIVE_ACTIONS = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'ResetForm',
  'Hide',
  'Rendition',
  'Movie',
  'Sound',
  'GoToE',
  'GoToR',
  'GoTo3DView',
  'GoToDp',
  'Thread',
  'SetOCGState',
  'RichMediaExecute',
  'Trans',
])

/** Annotations that are players or carry a program or a file of their own (ISO 32000-2 table 171). */
const ACTIVE_ANNOTATIONS = new Set(['Movie', 'Sound', 'Screen', 'RichMedia', '3D', 'FileAttachment'])

/** Actions that may stay behind a link; whatever else stands there is left out, also what no standard knows. */
const PASSIVE_ACTIONS = new Set(['GoTo', 'Named', 'URI'])

/** Named actions that turn pages. Readers know others, to print for one. */
const PAGE_MOVES = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage'])

/** Dictionary entries that hold nothing but active content or files, wherever they stand. */
const ACTIVE_KEYS: Record<string, string> = {
  AA: 'AA',
  JavaScript: 'JavaScript',
  JS: 'JavaScript',
  XFA: 'XFA',
  EF: 'EmbeddedFiles',
  AF: 'EmbeddedFiles',
}

/**
 * The same for dictionaries of streams: data in another file, pages of another file, pictures that a printer fetches or
 * prints instead of what is seen, programs for printers (ISO 32000-1 tables 5, 87, 89, 95, 97).
 */
const ACTIVE_STREAM_KEYS: Record<string, string> = {
  F: 'ExternalStream',
  FFilter: 'ExternalStream',
  FDecodeParms: 'ExternalStream',
  Ref: 'Ref',
  OPI: 'OPI',
  Alternates: 'Alternates',
  PS: 'PS',
}

/** Links lead to pages of the web, letters and calls, or are relative; not to files, shares, or pages they carry along. */
const SAFE_ADDRESS = /^(?:(?:https?|ftp|mailto|tel):|(?!\/\/)[^:\\/]*(?:[/?#][^\\]*)?$)/i

/** What kind of active content the dictionary is, undefined when it is none. */
export function findActiveKind(dict: PdfDict, resolve: Resolve): string | undefined {
  const subtype = resolve(dict.get('Subtype'))
  if (dict instanceof PdfStream) return isNamed(subtype, 'PS') ? 'PS' : undefined
  if (dict.has('EF')) return 'EmbeddedFiles'
  const action = resolve(dict.get('S'))
  if (action instanceof PdfName) {
    if (ACTIVE_ACTIONS.has(action.value)) return action.value
    if (action.value === 'URI') return findActiveAddress(resolve(dict.get('URI')))
    if (action.value === 'Named' && dict.has('N')) return findActiveMove(resolve(dict.get('N')))
  }
  const isAnnotation = dict.has('Rect') && subtype instanceof PdfName
  return isAnnotation && ACTIVE_ANNOTATIONS.has(subtype.value) ? subtype.value : undefined
}

/** Kind of active content that one entry of a dictionary holds, undefined when it may stay. */
export function findActiveEntry(dict: PdfDict, key: string, resolve: Resolve): string | undefined {
  if (Object.hasOwn(ACTIVE_KEYS, key)) return ACTIVE_KEYS[key]
  if (dict instanceof PdfStream) {
    if (Object.hasOwn(ACTIVE_STREAM_KEYS, key)) return ACTIVE_STREAM_KEYS[key]
    return key === 'Subtype2' && isNamed(resolve(dict.get(key)), 'PS') ? 'PS' : undefined
  }
  if (key === 'A' || key === 'PA') return findActiveAction(resolve(dict.get(key)), dict.has('Rect'), resolve)
  return key === 'Next' && resolve(dict.get('S')) instanceof PdfName
    ? findActiveNext(resolve(dict.get(key)), resolve)
    : undefined
}

/** @param isAction What stands there can be nothing else, also where it does not say so. */
function findActiveAction(
  action: PdfObject | null | undefined,
  isAction: boolean,
  resolve: Resolve,
): string | undefined {
  if (action === null || action === undefined) return undefined
  const kind = action instanceof PdfDict ? resolve(action.get('S')) : undefined
  // some readers take what has an address for a link to it
  if (!(kind instanceof PdfName))
    return !isAction ? undefined : action instanceof PdfDict && action.has('URI') ? 'URI' : 'Action'
  return PASSIVE_ACTIONS.has(kind.value) ? findActiveKind(action as PdfDict, resolve) : kind.value
}

/** Of several actions those that are active by themselves are left out one by one. */
function findActiveNext(next: PdfObject | null | undefined, resolve: Resolve): string | undefined {
  const actions = next instanceof PdfArray ? [...next].map(resolve) : [next]
  return actions
    .filter((action) => !(action instanceof PdfDict) || findActiveKind(action, resolve) === undefined)
    .map((action) => findActiveAction(action, true, resolve))
    .find((kind) => kind !== undefined)
}

/** Kinds of active content that a catalog holds. It is not copied; what it would have run or carried is only listed. */
export function listCatalogKinds(catalog: PdfDict, resolve: Resolve): string[] {
  const kinds: string[] = []
  for (const key of ['AA', 'Collection']) if (catalog.has(key)) kinds.push(key)
  if (catalog.has('AF')) kinds.push('EmbeddedFiles')
  const opened = resolve(catalog.get('OpenAction'))
  const kind = opened instanceof PdfDict ? findActiveKind(opened, resolve) : undefined
  if (kind !== undefined) kinds.push(kind)
  const names = resolve(catalog.get('Names'))
  if (names instanceof PdfDict) {
    for (const key of ['JavaScript', 'EmbeddedFiles', 'Renditions']) if (names.has(key)) kinds.push(key)
  }
  const form = resolve(catalog.get('AcroForm'))
  if (form instanceof PdfDict && form.has('XFA')) kinds.push('XFA')
  return kinds
}

function findActiveAddress(address: PdfObject | null | undefined): string | undefined {
  // some readers take a name for an address
  if (!(address instanceof PdfString)) return 'URI'
  // readers skip white space and control characters when they look for the scheme
  const text = address.asString().replaceAll(/[\0-\x20]/g, '')
  if (/^javascript:/i.test(text)) return 'JavaScript'
  return SAFE_ADDRESS.test(text) ? undefined : 'URI'
}

function findActiveMove(move: PdfObject | null | undefined): string | undefined {
  return move instanceof PdfName && PAGE_MOVES.has(move.value) ? undefined : 'Named'
}

function isNamed(object: PdfObject | null | undefined, name: string): boolean {
  return object instanceof PdfName && object.value === name
}
