import { type PdfDict, PdfName } from '@libpdf/core'
import { type PdfObject, readNumber } from '../pdf/object-store.ts'

/** How opaque all is that is drawn, from 0 to 1 (ISO 32000-2 section 11.6.4). */
export interface Opacity {
  fill: number
  stroke: number
  /** A soft mask hides parts of it. */
  isMasked: boolean
}

export const OPAQUE: Opacity = { fill: 1, stroke: 1, isMasked: false }

/** What a graphics state says; all else stays as it is. */
export function readOpacity(
  state: PdfDict,
  resolve: (object: PdfObject | undefined) => PdfObject | undefined,
): Partial<Opacity> {
  const [fill, stroke] = [readNumber(state.get('ca'), resolve), readNumber(state.get('CA'), resolve)]
  const mask = resolve(state.get('SMask'))
  return {
    ...(fill !== undefined && { fill }),
    ...(stroke !== undefined && { stroke }),
    ...(mask !== undefined && { isMasked: !(mask instanceof PdfName) }),
  }
}
