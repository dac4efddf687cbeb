import { PdfDict } from '@libpdf/core'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/** The letters of fonts that draw them by operators, though nothing in them says so. */
export function listGlyphs(store: ObjectStore): Set<PdfObject | undefined> {
  const glyphs = new Set<PdfObject | undefined>()
  for (const object of store.objects) {
    const list = object instanceof PdfDict ? resolveObject(store, object.get('CharProcs')) : undefined
    if (list instanceof PdfDict) for (const [, glyph] of list) glyphs.add(resolveObject(store, glyph))
  }
  return glyphs
}
