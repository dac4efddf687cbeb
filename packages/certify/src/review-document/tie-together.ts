import { PdfArray, PdfDict, PdfNull, type PdfRef } from '@libpdf/core'
import { makeStream, nameOf, numberOf, type ObjectStore, registerObject, textOf } from '../pdf/object-store.ts'
import { PAGE_CONTENT } from './page-entries.ts'

/** Pages of one document, under its title. */
export interface BookmarkedPages {
  source: { title: string }
  pages: PdfRef[]
}

/**
 * Adds what only the review document needs: the content that its pages share, the page tree, bookmarks, catalog and title, in
 * this order. No dates: the same input gives the same bytes.
 */
export function tieTogether(
  store: ObjectStore,
  copied: readonly BookmarkedPages[],
  title: string,
): { root: PdfRef; info: PdfRef } {
  const pages = copied.flatMap((document) => document.pages)
  const shown = pages.filter((ref) => (pageAt(store, ref).get('Resources') as PdfDict).has('XObject'))
  if (shown.length > 0) {
    const contents = registerObject(store, makeStream({}, PAGE_CONTENT))
    for (const ref of shown) pageAt(store, ref).set('Contents', contents)
  }
  const tree = PdfDict.of({ Type: nameOf('Pages'), Kids: new PdfArray([...pages]), Count: numberOf(pages.length) })
  const treeRef = registerObject(store, tree)
  for (const ref of pages) pageAt(store, ref).set('Parent', treeRef)
  const outline = addOutline(store, copied)
  const root = registerObject(store, PdfDict.of({ Type: nameOf('Catalog'), Pages: treeRef, Outlines: outline }))
  const info = registerObject(store, PdfDict.of({ Title: textOf(title), Producer: textOf('Proofdesk') }))
  return { root, info }
}

const pageAt = (store: ObjectStore, ref: PdfRef): PdfDict => store.objects[ref.objectNumber] as PdfDict

/** One bookmark for each document, to the top of its first page (ISO 32000-2 section 12.3.3). */
function addOutline(store: ObjectStore, copied: readonly BookmarkedPages[]): PdfRef {
  const outline = new PdfDict()
  const outlineRef = registerObject(store, outline)
  const items = copied.map(({ source, pages }) => {
    const place = [pages[0]!, nameOf('XYZ'), PdfNull.instance, PdfNull.instance, PdfNull.instance]
    return PdfDict.of({ Title: textOf(source.title), Parent: outlineRef, Dest: new PdfArray(place) })
  })
  const refs = items.map((item) => registerObject(store, item))
  for (const [i, item] of items.entries()) {
    if (i > 0) item.set('Prev', refs[i - 1]!)
    if (i + 1 < refs.length) item.set('Next', refs[i + 1]!)
  }
  outline.set('Type', nameOf('Outlines'))
  outline.set('First', refs[0]!)
  outline.set('Last', refs.at(-1)!)
  outline.set('Count', numberOf(refs.length))
  return outlineRef
}
