import { type PdfDict, PdfName, type PdfStream } from '@libpdf/core'
import { type ObjectStore, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { type Matrix, UNCHANGED } from '../pdf/simple-path.ts'

export function isForm(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  return subtype instanceof PdfName && subtype.value === 'Form'
}

/** From the coordinates of a form or of the letters of a font to those of what draws it. */
export function readMatrix(store: ObjectStore, drawn: PdfDict, key: 'Matrix' | 'FontMatrix' = 'Matrix'): Matrix {
  const matrix = readNumbers(drawn.get(key), (object) => resolveObject(store, object))
  return matrix?.length === 6 ? (matrix as unknown as Matrix) : UNCHANGED
}
