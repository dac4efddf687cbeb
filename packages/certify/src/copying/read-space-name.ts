import { PdfArray, PdfName } from '@libpdf/core'
import type { PdfObject } from '../pdf/object-store.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** Of a space of colours, with or without parameters (ISO 32000-2 section 8.6.3). */
export function readSpaceName(space: PdfObject | undefined, resolve: Resolve): string | undefined {
  const own = resolve(space)
  const name = own instanceof PdfArray ? resolve(own.at(0)) : own
  return name instanceof PdfName ? name.value : undefined
}

/** Under its name, or the short one, which some readers know everywhere. */
export const isPalette = (space: PdfObject | undefined, resolve: Resolve): boolean =>
  ['Indexed', 'I'].includes(readSpaceName(space, resolve) ?? '')

export const isInk = (space: PdfObject | undefined, resolve: Resolve): boolean =>
  ['Separation', 'DeviceN'].includes(readSpaceName(space, resolve) ?? '')
