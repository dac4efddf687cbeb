import { PdfDict } from '@libpdf/core'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/** The letters of fonts that draw them by operators, though nothing in them says so, each with the resources of its font. */
export function listGlyphs(store: ObjectStore): Map<PdfObject | undefined, PdfObject | undefined> {
  const glyphs = new Map<PdfObject | undefined, PdfObject | undefined>()
  for (const object of store.objects) {
    const list = object instanceof PdfDict ? resolveObject(store, object.get('CharProcs')) : undefined
    if (!(object instanceof PdfDict) || !(list instanceof PdfDict)) continue
    for (const [, glyph] of list) glyphs.set(resolveObject(store, glyph), object.get('Resources'))
  }
  return glyphs
}
