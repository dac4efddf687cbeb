import type { PdfArray } from '@libpdf/core'
import type { PdfObject } from '../pdf/object-store.ts'

/** Makes another array of one that may be in use in several places. */
export function replaceItems(array: PdfArray, items: readonly PdfObject[]): void {
  while (array.length > 0) array.pop()
  array.push(...items)
}
