import { PdfArray, PdfName } from '@libpdf/core'
import { type PdfObject, readNumber } from '../pdf/object-store.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** Names of glyphs by code (ISO 32000-2 section 9.6.5.1). @returns undefined for what is no list. */
export function readDifferences(list: PdfObject | undefined, resolve: Resolve): Map<number, string> | undefined {
  if (!(list instanceof PdfArray)) return undefined
  const names = new Map<number, string>()
  let code = 0
  for (const item of list) {
    const value = resolve(item)
    if (value instanceof PdfName) names.set(code++, value.value)
    else code = readNumber(item, resolve) ?? code
  }
  return names
}
