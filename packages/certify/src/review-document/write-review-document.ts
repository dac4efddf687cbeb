import type { PdfRef } from '@libpdf/core'
import type { ObjectStore } from '../pdf/object-store.ts'
import { listReachable, type Trailer, writeFile } from '../pdf/write-file.ts'
import { type BookmarkedPages, tieTogether } from './tie-together.ts'

/**
 * Writes what the pages need, the pages, and the rest, in this order. Leaves neither objects nor originals in memory when the
 * whole file stands there.
 * @param documents Pages that `makePagesUniform` was given.
 * @param id As in `Trailer`.
 */
export function writeReviewDocument(
  store: ObjectStore,
  documents: BookmarkedPages[],
  { title, id }: { title: string; id: string },
): Buffer {
  const neededByPages = store.objects.length
  const trailer: Trailer = { ...tieTogether(store, documents, title), id }
  const pages = documents.flatMap((document) => document.pages)
  const order = orderObjects(listReachable(store, trailer), pages, neededByPages)
  const pieces: Uint8Array[] = []
  writeFile(store, trailer, (piece) => pieces.push(piece), { order })
  store.objects.length = 1
  return Buffer.concat(pieces)
}

/** @param firstOfRest Number of the first object that no page needs. */
function orderObjects(numbers: readonly number[], pages: readonly PdfRef[], firstOfRest: number): number[] {
  const pageNumbers = new Set(pages.map((page) => page.objectNumber))
  return [
    ...numbers.filter((number) => number < firstOfRest && !pageNumbers.has(number)),
    ...pageNumbers,
    ...numbers.filter((number) => number >= firstOfRest),
  ]
}
