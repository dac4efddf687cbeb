import { PdfArray, PdfName, PdfStream, PdfString } from '@libpdf/core'
import { numberOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { countComponents } from './count-components.ts'

/** 256 colours of 32 inks, and what programs pad them with. */
const MAX_PALETTE_BYTES = 1 << 20

/** A space of colours by number (ISO 32000-2 section 8.6.6.3). */
export interface Palette {
  base: PdfObject
  /** Numbers of each colour. */
  components: number
  /** The last number that it says it has. */
  last: number
  /** Of as many colours as there are, which may be fewer or more. */
  colours: Uint8Array
}

/** @returns undefined for another space, and where something of it cannot be read. */
export function readPalette(store: ObjectStore, space: PdfObject | undefined): Palette | undefined {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const array = resolve(space)
  if (!(array instanceof PdfArray)) return undefined
  const [name, base, lookup] = [resolve(array.at(0)), array.at(1), resolve(array.at(3))]
  if (!(name instanceof PdfName && name.value === 'Indexed') || base === undefined) return undefined
  const components = countComponents(resolve(base), resolve)
  const last = readNumber(array.at(2), resolve)
  const colours =
    lookup instanceof PdfString
      ? lookup.bytes
      : lookup instanceof PdfStream
        ? decodeContent(store, lookup, MAX_PALETTE_BYTES)
        : undefined
  if (components === undefined || colours === undefined || last === undefined) return undefined
  return Number.isInteger(last) && last >= 0 ? { base, components, last, colours } : undefined
}

export const makePalette = (base: PdfObject, last: number, colours: Uint8Array): PdfArray =>
  PdfArray.of(PdfName.of('Indexed'), base, numberOf(last), new PdfString(colours, 'hex'))
