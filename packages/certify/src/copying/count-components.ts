import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { type PdfObject, readNumber } from '../pdf/object-store.ts'

const COMPONENTS: Record<string, number> = {
  DeviceGray: 1,
  DeviceRGB: 3,
  DeviceCMYK: 4,
  CalGray: 1,
  CalRGB: 3,
  Lab: 3,
  Indexed: 1,
  Separation: 1,
}

/** How many numbers a colour of the space has (ISO 32000-2 section 8.6). @returns undefined when it cannot be told. */
export function countComponents(
  space: PdfObject | undefined,
  resolve: (object: PdfObject | undefined) => PdfObject | undefined,
): number | undefined {
  const name = space instanceof PdfArray ? resolve(space.at(0)) : space
  if (!(name instanceof PdfName)) return undefined
  if (!(space instanceof PdfArray)) return COMPONENTS[name.value]
  if (name.value === 'ICCBased') {
    const profile = resolve(space.at(1))
    return profile instanceof PdfDict ? readNumber(profile.get('N'), resolve) : undefined
  }
  if (name.value !== 'DeviceN') return COMPONENTS[name.value]
  const inks = resolve(space.at(1))
  return inks instanceof PdfArray ? inks.length : undefined
}
