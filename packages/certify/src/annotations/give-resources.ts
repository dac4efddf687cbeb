import { type PDF, PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import type { SourcePage } from '../pdf/list-pages.ts'
import type { PdfObject } from '../pdf/object-store.ts'
import { findAppearance, readKind } from './shown-annotations.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/**
 * Gives pictures of annotations that bring no resources those of the form, where it is a field, and of the page: readers do
 * not agree on where the fonts that they name are found. Changes the loaded source only.
 */
export function giveResources(source: PDF, pages: readonly SourcePage[], resolve: Resolve): void {
  const form = resolve(source.getCatalog().get('AcroForm'))
  const fields = form instanceof PdfDict ? form.get('DR') : undefined
  for (const { dict, inherited } of pages) {
    const list = resolve(dict.get('Annots'))
    if (!(list instanceof PdfArray)) continue
    const page = dict.get('Resources') ?? inherited.get('Resources')
    for (const item of list) {
      const annotation = resolve(item)
      if (!(annotation instanceof PdfDict)) continue
      const stream = resolve(findAppearance(annotation, resolve))
      if (!(stream instanceof PdfStream) || resolve(stream.get('Resources')) instanceof PdfDict) continue
      stream.set(
        'Resources',
        mergeResources(readKind(annotation, resolve) === 'Widget' ? [fields, page] : [page], resolve),
      )
    }
  }
}

/** By kind and name; what is named earlier stays. */
function mergeResources(sources: readonly (PdfObject | undefined)[], resolve: Resolve): PdfDict {
  const merged = new PdfDict()
  for (const source of sources) {
    const resources = resolve(source)
    if (!(resources instanceof PdfDict)) continue
    for (const [kind, entry] of resources) {
      const named = resolve(entry)
      if (!(named instanceof PdfDict)) continue
      const known = merged.get(kind.value)
      const all = known instanceof PdfDict ? known : new PdfDict()
      for (const [name, value] of named) if (!all.has(name.value)) all.set(name.value, value)
      merged.set(kind.value, all)
    }
  }
  return merged
}
