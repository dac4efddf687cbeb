import { PdfArray, PdfName, PdfNumber, PdfStream } from '@libpdf/core'

/** Bytes of a number that the parser reads; it refuses a stream of entries with wider fields. */
const WIDEST = 6

/** @returns the fields of an entry, in bytes, of a stream of entries that the parser would refuse; undefined for any other stream. */
export function readWideFields(stream: PdfStream): number[] | undefined {
  const type = stream.get('Type')
  const widths = stream.get('W')
  if (!(type instanceof PdfName) || type.value !== 'XRef' || !(widths instanceof PdfArray)) return undefined
  const fields = [...widths].map((width) => (width instanceof PdfNumber ? width.value : Number.NaN))
  const isSound = fields.every((width) => Number.isInteger(width) && width >= 0)
  return isSound && fields.some((width) => width > WIDEST) ? fields : undefined
}

export const narrowFields = (fields: readonly number[]): PdfArray =>
  PdfArray.of(...fields.map((width) => PdfNumber.of(Math.min(width, WIDEST))))

/**
 * The entries without the leading bytes of fields that are too wide: some programs write places in eight bytes.
 * @see ISO 32000-2 section 7.5.8.3
 * @throws Error where these say something: no file is so large.
 */
export function narrowEntries(data: Uint8Array, fields: readonly number[]): Uint8Array {
  const rowBytes = fields.reduce((sum, width) => sum + width, 0)
  const narrow = new Uint8Array(data.length)
  let to = 0
  for (let row = 0; row + rowBytes <= data.length; row += rowBytes) {
    let at = row
    for (const width of fields) {
      for (const end = at + width; at < end; at++) {
        if (at >= end - WIDEST) narrow[to++] = data[at]!
        else if (data[at] !== 0) throw new Error('an entry leads beyond any file')
      }
    }
  }
  return narrow.subarray(0, to)
}
