import { PdfArray, PdfName, PdfStream, PdfString } from '@libpdf/core'
import { countComponents } from './count-components.ts'
import { numberOf, type PdfObject, readNumber } from '../pdf/object-store.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Gives an image's palette a colour for every value that its pixels can have. What is beyond the end has the last colour in most
 * readers, the reviewer's among them, and none in others (ISO 32000-2 section 8.6.6.3).
 */
export function widenPalette(image: PdfStream, resolve: Resolve): void {
  const space = resolve(image.get('ColorSpace'))
  const bits = readNumber(image.get('BitsPerComponent'), resolve)
  if (!(space instanceof PdfArray) || !isIndexed(resolve(space.at(0))) || ![1, 2, 4, 8].includes(bits ?? 0)) return
  const last = readNumber(space.at(2), resolve)
  const components = countComponents(resolve(space.at(1)), resolve)
  if (last === undefined || !Number.isInteger(last) || last < 0 || last >= 2 ** bits! - 1 || components === undefined)
    return
  const given = readColours(resolve(space.at(3)))
  if (given === undefined || given.length < (last + 1) * components) return
  const colours = Buffer.alloc(2 ** bits! * components)
  const lastColour = given.subarray(last * components, (last + 1) * components)
  Buffer.from(given).copy(colours, 0, 0, last * components)
  for (let value = last; value < 2 ** bits!; value++) colours.set(lastColour, value * components)
  const base = space.at(1) as PdfObject
  image.set(
    'ColorSpace',
    PdfArray.of(PdfName.of('Indexed'), base, numberOf(2 ** bits! - 1), new PdfString(colours, 'hex')),
  )
}

const isIndexed = (name: PdfObject | undefined): boolean => name instanceof PdfName && name.value === 'Indexed'

function readColours(lookup: PdfObject | undefined): Uint8Array | undefined {
  if (lookup instanceof PdfString) return lookup.bytes
  try {
    return lookup instanceof PdfStream ? lookup.getDecodedData() : undefined
  } catch {
    return undefined
  }
}
