import type { PdfStream } from '@libpdf/core'
import { type ObjectStore, readNumber, resolveObject } from '../pdf/object-store.ts'
import { makePalette, readPalette } from './read-palette.ts'

/**
 * Gives an image's palette a colour for every value that its pixels can have. What is beyond the end has the last colour in most
 * readers, the reviewer's among them, and none in others; a colour that the palette only says it has is black (ISO 32000-2 section 8.6.6.3).
 */
export function widenPalette(store: ObjectStore, image: PdfStream): void {
  const bits = readNumber(image.get('BitsPerComponent'), (object) => resolveObject(store, object)) ?? 0
  const palette = readPalette(store, image.get('ColorSpace'))
  if (palette === undefined || ![1, 2, 4, 8].includes(bits)) return
  const { base, components, last, colours: given } = palette
  const count = 2 ** bits
  if (last >= count - 1 && given.length >= count * components) return
  const colours = Buffer.alloc(count * components)
  colours.set(given.subarray(0, Math.min(last + 1, count) * components))
  const lastColour = Buffer.from(colours.subarray(last * components, (last + 1) * components))
  for (let value = last + 1; value < count; value++) colours.set(lastColour, value * components)
  image.set('ColorSpace', makePalette(base, count - 1, colours))
}
