import { type PDF, PdfRef } from '@libpdf/core'
import type { PdfObject } from './object-store.ts'

/** The object itself, also when it is given as a reference; nothing where it leads nowhere. */
export type Resolve = (object: PdfObject | undefined) => PdfObject | null | undefined

/** References to references end somewhere, or they go round. */
const MOST_HOPS = 32

/** Resolves references of a file that nobody vouches for. */
export function resolveIn(source: PDF): Resolve {
  return (object) => {
    let target: PdfObject | null | undefined = object
    for (let hops = 0; target instanceof PdfRef && hops < MOST_HOPS; hops++) target = source.getObject(target)
    return target instanceof PdfRef ? undefined : target
  }
}
