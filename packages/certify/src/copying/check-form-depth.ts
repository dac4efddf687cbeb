import { PdfDict, PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/** PDFium draws forms within forms up to 40 levels, others more; the copy adds a few of its own. */
const MOST_LEVELS = 32

/** @throws Refusal `unreadable` where forms are nested so deeply that readers stop at different ones. */
export function checkFormDepth(store: ObjectStore, pages: readonly PdfDict[]): void {
  const depths = new Map<PdfObject, number>()
  const measure = (object: PdfObject | undefined, level: number): number => {
    if (level > MOST_LEVELS) throw new Refusal('unreadable', 'forms are nested too deeply')
    const resources = resolveObject(store, object)
    const list = resources instanceof PdfDict ? resolveObject(store, resources.get('XObject')) : undefined
    if (!(list instanceof PdfDict)) return 0
    const known = depths.get(list)
    if (known !== undefined) {
      if (level + known > MOST_LEVELS) throw new Refusal('unreadable', 'forms are nested too deeply')
      return known
    }
    // a form that draws itself is drawn by nobody
    depths.set(list, 0)
    let depth = 0
    for (const [, entry] of list) {
      const form = resolveObject(store, entry)
      const own = form instanceof PdfStream ? form.get('Resources') : undefined
      if (own !== undefined) depth = Math.max(depth, 1 + measure(own, level + 1))
    }
    depths.set(list, depth)
    return depth
  }
  for (const page of pages) measure(page.get('Resources'), 0)
}
