import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import type { LoadedPdf } from '../pdf/load-pdf.ts'
import type { PdfObject } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** The rest is not read: nobody would read so many. */
const MOST_SIGNATURES = 32
/** Fields and annotations looked at, and levels above a field. */
const MOST_NODES = 100_000
const MOST_LEVELS = 32

/**
 * The signature dictionaries of a file, each once: of all fields of its form, and of fields that only a page shows.
 * @returns at most 32.
 */
export function findSignatures(loaded: LoadedPdf, resolve: Resolve): PdfDict[] {
  const found = new Set<PdfDict>()
  const seen = new Set<PdfObject>()
  const form = resolve(loaded.pdf.getCatalog().get('AcroForm'))
  // one list after the other, with the place in it: copies of long lists would take memory
  const lists = [listOf(form, 'Fields'), ...loaded.pages.map(({ dict }) => listOf(dict, 'Annots'))]
  let nodes = 0
  const waiting = lists.flatMap((list) => (list ? [{ list, next: 0 }] : [])).toReversed()
  while (waiting.length > 0 && nodes < MOST_NODES && found.size < MOST_SIGNATURES) {
    const place = waiting.at(-1)!
    if (place.next >= place.list.length) {
      waiting.pop()
      continue
    }
    nodes += 1
    const field = resolve(place.list.at(place.next++))
    if (!(field instanceof PdfDict) || seen.has(field)) continue
    seen.add(field)
    const signature = readSignature(field, resolve)
    if (signature) found.add(signature)
    const kids = listOf(field, 'Kids')
    if (kids) waiting.push({ list: kids, next: 0 })
  }
  return [...found]

  function listOf(dict: PdfObject | null | undefined, key: string): PdfArray | undefined {
    const list = dict instanceof PdfDict ? resolve(dict.get(key)) : undefined
    return list instanceof PdfArray ? list : undefined
  }
}

/** What a field or a widget of it holds, where it is a signature; both type and value may stand above (ISO 32000-2 section 12.7.4). */
function readSignature(field: PdfDict, resolve: Resolve): PdfDict | undefined {
  let type: PdfObject | null | undefined
  let value: PdfObject | null | undefined
  let level: PdfObject | null | undefined = field
  for (let levels = 0; level instanceof PdfDict && levels < MOST_LEVELS; levels++) {
    type ??= resolve(level.get('FT'))
    value ??= resolve(level.get('V'))
    if (type && value) break
    level = resolve(level.get('Parent'))
  }
  return type instanceof PdfName && type.value === 'Sig' && value instanceof PdfDict ? value : undefined
}
