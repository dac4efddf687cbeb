import { PdfArray, PdfDict, type PdfRef } from '@libpdf/core'
import type { SourcePage } from '../pdf/list-pages.ts'
import { type ObjectStore, type PdfObject, registerObject, resolveObject } from '../pdf/object-store.ts'

/**
 * The pages without those that the page tree names once more.
 * @returns also, for each page that it names, the index of that one.
 */
export function findRepeated(named: readonly SourcePage[]): { sources: SourcePage[]; places: number[] } {
  const sources: SourcePage[] = []
  const known = new Map<PdfDict, number>()
  const places = named.map((page) => {
    const place = known.get(page.dict) ?? sources.push(page) - 1
    known.set(page.dict, place)
    return place
  })
  return { sources, places }
}

/**
 * Gives each further place of a page a copy of the finished page: what it draws is shared, its links are its own.
 * @param pages Finished, each once.
 */
export function repeatPages(store: ObjectStore, pages: readonly PdfRef[], places: readonly number[]): PdfRef[] {
  const used = new Set<number>()
  return places.map((place) => {
    const ref = pages[place]!
    const page = resolveObject(store, ref)
    if (!used.has(place) || !(page instanceof PdfDict)) {
      used.add(place)
      return ref
    }
    const copy = copyDict(page)
    const links = resolveObject(store, page.get('Annots'))
    if (links instanceof PdfArray) copy.set('Annots', new PdfArray([...links].map((link) => copyLink(store, link))))
    return registerObject(store, copy)
  })
}

function copyLink(store: ObjectStore, link: PdfObject): PdfObject {
  const dict = resolveObject(store, link)
  return dict instanceof PdfDict ? registerObject(store, copyDict(dict)) : link
}

function copyDict(dict: PdfDict): PdfDict {
  const copy = new PdfDict()
  for (const [key, value] of dict) copy.set(key.value, value)
  return copy
}
