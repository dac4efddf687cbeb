import { type PdfDict, PdfStream } from '@libpdf/core'
import type { PdfObject } from '../pdf/object-store.ts'

/** Where a descriptor keeps the program of a font, in the order of the reviewer's reader (ISO 32000-2 table 124). */
export const PROGRAM_ENTRIES = ['FontFile', 'FontFile2', 'FontFile3']

/** @returns undefined where the font is not embedded. */
export function findProgram(
  descriptor: PdfDict,
  resolve: (object: PdfObject | undefined) => PdfObject | undefined,
): PdfStream | undefined {
  return PROGRAM_ENTRIES.map((key) => resolve(descriptor.get(key))).find((entry) => entry instanceof PdfStream)
}
