import { PdfDict, PdfName, PdfStream, PdfString } from '@libpdf/core'
import type { PdfObject } from './object-store.ts'

/**
 * Actions (ISO 32000-2 table 201) that run something, send something or reach outside the file. `GoTo`, `GoToDp`, `Named`,
 * `Thread`, `SetOCGState` and plain `URI` links stay: they do nothing until somebody clicks, and then only lead somewhere.
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
  'RichMediaExecute',
  'Trans',
])

/** Annotations that are players or carry a program or a file of their own (ISO 32000-2 table 171). */
const ACTIVE_ANNOTATIONS = new Set(['Movie', 'Sound', 'Screen', 'RichMedia', '3D', 'FileAttachment'])

/** Dictionary entries that hold nothing but active content, wherever they stand. */
const ACTIVE_KEYS: Record<string, string> = { AA: 'AA', JavaScript: 'JavaScript', JS: 'JavaScript', XFA: 'XFA' }

type Resolve = (object: PdfObject | undefined) => PdfObject | null | undefined

/** What kind of active content the dictionary is, undefined when it is none. */
export function findActiveKind(dict: PdfDict, resolve: Resolve): string | undefined {
  if (dict instanceof PdfStream) return undefined
  const action = resolve(dict.get('S'))
  if (action instanceof PdfName && ACTIVE_ACTIONS.has(action.value) && isAction(dict, resolve)) return action.value
  if (action instanceof PdfName && action.value === 'URI') {
    const address = resolve(dict.get('URI'))
    if (address instanceof PdfString && /^\s*javascript:/i.test(address.asString())) return 'JavaScript'
  }
  const subtype = resolve(dict.get('Subtype'))
  const isAnnotation = dict.has('Rect') && subtype instanceof PdfName
  return isAnnotation && ACTIVE_ANNOTATIONS.has(subtype.value) ? subtype.value : undefined
}

/** Kind of active content that the entry holds by its name alone, undefined when it may stay. */
export function findActiveKey(key: string): string | undefined {
  return Object.hasOwn(ACTIVE_KEYS, key) ? ACTIVE_KEYS[key] : undefined
}

/** `/S` also stands in structure elements, page labels and groups; their values must not be taken for actions. */
function isAction(dict: PdfDict, resolve: Resolve): boolean {
  const type = resolve(dict.get('Type'))
  return !(type instanceof PdfName) || type.value === 'Action'
}
