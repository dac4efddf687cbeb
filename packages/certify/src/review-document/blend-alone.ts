import { PdfBool, PdfDict, PdfName, type PdfRef } from '@libpdf/core'
import { nameOf, type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/** On white paper these show the same as on nothing (ISO 32000-2 tables 134 and 135). */
const ALIKE_ON_PAPER = new Set(['Normal', 'Compatible', 'Multiply', 'Darken'])
/** Lists of resources whose entries can bring resources of their own. */
const DRAWN = ['XObject', 'Pattern', 'Font']

/**
 * What a page paints blends with what the page has painted before. PDFium lets it blend with the paper too, so that white letters that take the
 * difference are black on bare paper in it, and nothing to the reviewer's reader and to others: as a group that stands alone the page is the same to all.
 * @param known What was found before, by resources.
 */
export function blendAlone(store: ObjectStore, form: PdfRef, known: Map<PdfDict, boolean>): void {
  const page = resolveObject(store, form)
  if (!(page instanceof PdfDict) || !hasBlends(store, page.get('Resources'), known)) return
  page.set('Group', PdfDict.of({ S: nameOf('Transparency'), I: PdfBool.TRUE }))
}

function hasBlends(store: ObjectStore, entry: PdfObject | undefined, known: Map<PdfDict, boolean>): boolean {
  const resources = resolveObject(store, entry)
  if (!(resources instanceof PdfDict)) return false
  const before = known.get(resources)
  if (before !== undefined) return before
  known.set(resources, false)
  const list = (key: string): PdfObject[] => {
    const entries = resolveObject(store, resources.get(key))
    return entries instanceof PdfDict ? [...entries].map(([, value]) => value) : []
  }
  const found =
    list('ExtGState').some((state) => isBlending(store, state)) ||
    DRAWN.flatMap(list).some((drawn) => {
      const dict = resolveObject(store, drawn)
      return dict instanceof PdfDict && hasBlends(store, dict.get('Resources'), known)
    })
  known.set(resources, found)
  return found
}

function isBlending(store: ObjectStore, entry: PdfObject): boolean {
  const state = resolveObject(store, entry)
  const mode = state instanceof PdfDict ? resolveObject(store, state.get('BM')) : undefined
  return mode instanceof PdfName && !ALIKE_ON_PAPER.has(mode.value)
}
