import { Refusal } from '../errors.ts'
import { readOperators } from '../layers/content-operators.ts'

/** Short and full names of what says how long the data are (ISO 32000-2 table 91). */
const ENTRIES = { W: 'Width', H: 'Height', BPC: 'BitsPerComponent', CS: 'ColorSpace', IM: 'ImageMask', F: 'Filter' }
const COMPONENTS: Record<string, number> = { G: 1, DeviceGray: 1, RGB: 3, DeviceRGB: 3, CMYK: 4, DeviceCMYK: 4 }
/** `EI` as an end: white space behind it, and then what may be operators. */
const END = /EI(?=[\s\0](?:[\s\0]|[\x20-\x7e]){0,5}$|[\s\0][\s\x20-\x7e]{5}|$)/g
/** Data in letters, which have an end of their own. */
const IN_LETTERS = /\/(?:F|Filter)[\s\0]*\[?[\s\0]*\/(?:A85|ASCII85Decode)(?![\w#])/
const LETTERS_END = /~[\s\0]*>[\s\0]*$/
const MAY_HOLD_IMAGE = /(?:^|[\s\0>\])])BI[\s\0/]/

/**
 * Some readers count the data of an image among operators, some look for the word behind them, and decide by what follows it. What
 * one of them takes for pixels another shows as words (ISO 32000-2 section 8.9.7).
 * @throws Refusal `unreadable` where they would come to different ends.
 */
export function checkInlineImageEnds(content: Buffer): void {
  if (!MAY_HOLD_IMAGE.test(content.toString('latin1'))) return
  for (const operator of readOperators(content)) {
    if (operator.name === 'EI') throw new Refusal('unreadable', 'the end of an image that does not begin')
    if (operator.name !== 'BI') continue
    const image = content.toString('latin1', operator.start, operator.end + 8)
    checkImage(image.slice(image.indexOf('BI') + 2), operator.end - operator.start)
  }
}

/** @param image From behind `BI` on, and a little of what follows. */
function checkImage(image: string, length: number): void {
  const begin = /[\s\0>\])]ID[\s\0]/.exec(image)
  if (begin === null) return
  const data = begin.index + begin[0].length
  const ends = [...image.slice(data, length).matchAll(END)]
  if (ends.length !== 1) throw new Refusal('unreadable', 'an image among operators with more than one end, or none')
  if (IN_LETTERS.test(image.slice(0, begin.index + 1)) && !LETTERS_END.test(image.slice(data, data + ends[0]!.index))) {
    throw new Refusal('unreadable', 'an image among operators whose data have no end')
  }
  const needed = countBytes(image.slice(0, begin.index + 1))
  if (needed > ends[0]!.index) throw new Refusal('unreadable', 'an image among operators that ends too early')
}

/** What the data must have at least; 0 where that is not known. */
function countBytes(dictionary: string): number {
  const found: Record<string, string> = {}
  for (const [short, full] of Object.entries(ENTRIES)) {
    const values = [
      ...dictionary.matchAll(new RegExp(String.raw`/(?:${short}|${full})(?![\w#])[\s\0]*(/?[^\s\0/>]*)`, 'g')),
    ]
    // as the value of another entry it is no key, but nobody needs that
    if (values.length > 1) throw new Refusal('unreadable', 'an image among operators that says something twice')
    if (values[0] !== undefined) found[short] = values[0][1]!
  }
  if (found.F !== undefined) return 0
  const isMask = found.IM === 'true'
  const components = isMask ? 1 : (COMPONENTS[(found.CS ?? '').slice(1)] ?? 0)
  const bits = isMask ? 1 : Number(found.BPC ?? 8)
  const bytes = Math.ceil((Number(found.W) * bits * components) / 8) * Number(found.H)
  return Number.isFinite(bytes) ? bytes : 0
}
