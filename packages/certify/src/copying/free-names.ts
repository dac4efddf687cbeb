import { PdfDict, PdfStream } from '@libpdf/core'
import type { PdfObject } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/**
 * What the keys of a dictionary are: those of the standard, or names that programs give, which say nothing of the value. `looks` are
 * the pictures of an annotation, each of which may be a list by names.
 */
export type Names = 'standard' | 'free' | 'looks'

/** Resources by their names, and glyphs by theirs (ISO 32000-2 tables 34 and 110). */
const LISTS = new Set(['Font', 'XObject', 'ExtGState', 'Shading', 'Pattern', 'ColorSpace', 'Properties', 'CharProcs'])
/** A dictionary where one of these says what it is, an action for one, is no such list; what a list names may be called so. */
const LIST_NO_MORE = new Set(['Type', 'Subtype', 'S', 'ShadingType', 'PatternType', 'Rect'])

/** What the keys of the dictionary are that stands under this key. */
export function readNames(owner: PdfDict, key: string, value: PdfObject, resolve: Resolve): Names {
  const list = resolve(value)
  // in a pattern this is a state itself, and such a state may stand in a list elsewhere
  if (key === 'ExtGState' && owner.has('PatternType')) return 'standard'
  if ((key !== 'AP' && !LISTS.has(key)) || !isPlain(list) || !isList(list, resolve)) return 'standard'
  return key === 'AP' ? 'looks' : 'free'
}

/** The same for pictures of an annotation: by its states, which are called by what is exported (ISO 32000-2 section 12.7.5.2.3). */
export function readStates(value: PdfObject, resolve: Resolve): Names {
  const states = resolve(value)
  return isPlain(states) && isList(states, resolve) ? 'free' : 'standard'
}

const isPlain = (object: PdfObject | null | undefined): object is PdfDict =>
  object instanceof PdfDict && !(object instanceof PdfStream)

function isList(list: PdfDict, resolve: Resolve): boolean {
  for (const [name, value] of list) {
    if (LIST_NO_MORE.has(name.value) && !(resolve(value) instanceof PdfDict)) return false
  }
  return true
}
