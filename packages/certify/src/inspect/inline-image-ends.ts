import { Disagreement } from '../errors.ts'
import { BEGIN_OF_DATA } from '../drawing/inline-stencil.ts'
import { endOfLetters, isInLetters, type Operator, readOperators } from '../layers/content-operators.ts'

/** Short and full names of what says how long the data are (ISO 32000-2 table 91). */
const ENTRIES = { W: 'Width', H: 'Height', BPC: 'BitsPerComponent', CS: 'ColorSpace', IM: 'ImageMask', F: 'Filter' }
const COMPONENTS: Record<string, number> = { G: 1, DeviceGray: 1, RGB: 3, DeviceRGB: 3, CMYK: 4, DeviceCMYK: 4 }
/** `EI` as an end: white space behind it, and then what may be operators. */
const END = /EI(?=[\s\0](?:[\s\0]|[\x20-\x7e]){0,5}$|[\s\0][\s\x20-\x7e]{5}|$)/g
/** What may stand between data in letters and the operator behind them. */
const END_OF_IMAGE = /^[\s\0]*EI$/
/** Among letters only PDFium takes it for the end, and only as a word. */
const END_AS_WORD = /[\s\0]EI[\s\0]/
const MAY_HOLD_IMAGE = /(?:^|[\s\0>\])])BI[\s\0/]/

/** An image among operators, by places in its content. */
export interface InlineImage {
  dictionary: string
  /** Where its data begin, and the place behind `EI`. */
  data: number
  end: number
  isInLetters: boolean
  /** The place behind data in letters that have one end; undefined for all others. */
  lettersEnd: number | undefined
}

export interface InlineImages {
  images: InlineImage[]
  /** An `EI` ends what has not begun, or data begin nowhere. */
  hasStrayEnd: boolean
}

export function readInlineImages(content: Buffer): InlineImages {
  const images: InlineImage[] = []
  let hasStrayEnd = false
  if (!MAY_HOLD_IMAGE.test(content.toString('latin1'))) return { images, hasStrayEnd }
  for (const operator of readOperators(content)) {
    hasStrayEnd ||= operator.name === 'EI'
    const image = operator.name === 'BI' ? readImage(content, operator) : undefined
    if (image !== undefined) images.push(image)
    else hasStrayEnd ||= operator.name === 'BI'
  }
  return { images, hasStrayEnd }
}

/**
 * Some readers count the data of an image among operators, some look for the word behind them, and decide by what follows it. What
 * one of them takes for pixels another shows as words (ISO 32000-2 section 8.9.7). Data in letters have an end of their own, up to
 * which they read.
 * @throws Refusal `unreadable` where they would come to different ends, or to different pictures.
 */
export function checkInlineImageEnds(content: Buffer, { images, hasStrayEnd }: InlineImages): void {
  if (hasStrayEnd) throw new Disagreement('an image among operators that does not begin')
  for (const image of images) {
    // nobody writes them there, and not all that looks for a name reads them
    if (image.dictionary.includes('#')) throw new Disagreement('an image among operators with escaped names')
    const needed = countBytes(image.dictionary)
    if (!image.isInLetters) checkCounted(content, image, needed)
    else if (image.lettersEnd === undefined)
      throw new Disagreement('an image among operators whose data in letters have no end, or several')
  }
}

function readImage(content: Buffer, { start, end }: Operator): InlineImage | undefined {
  const from = content.indexOf('BI', start) + 2
  const image = content.toString('latin1', from, end)
  const begin = BEGIN_OF_DATA.exec(image)
  if (begin === null) return undefined
  const dictionary = image.slice(0, begin.index + 1)
  const data = from + begin.index + begin[0].length
  const hasLetters = isInLetters(dictionary)
  return {
    dictionary,
    data,
    end,
    isInLetters: hasLetters,
    lettersEnd: hasLetters ? findEnd(content, data, end) : undefined,
  }
}

/** The one end of data in letters, behind which the image ends too. */
function findEnd(content: Buffer, data: number, end: number): number | undefined {
  const lettersEnd = endOfLetters(content, data)
  if (lettersEnd === undefined || !END_OF_IMAGE.test(content.toString('latin1', lettersEnd, end))) return undefined
  return END_AS_WORD.test(content.toString('latin1', data - 1, lettersEnd)) ? undefined : lettersEnd
}

function checkCounted(content: Buffer, { data, end }: InlineImage, needed: number): void {
  // and a little of what follows
  const bytes = content.toString('latin1', data, end + 8)
  const ends = [...bytes.matchAll(END)].filter(({ index }) => data + index < end)
  if (ends.length !== 1) throw new Disagreement('an image among operators with more than one end, or none')
  if (needed > ends[0]!.index) throw new Disagreement('an image among operators that ends too early')
}

/**
 * What the data must have at least; 0 where that is not known.
 * @throws Refusal `unreadable` for an entry that stands twice: some readers take the first, others the last.
 */
function countBytes(dictionary: string): number {
  const found: Record<string, string> = {}
  for (const [short, full] of Object.entries(ENTRIES)) {
    const values = [
      ...dictionary.matchAll(new RegExp(String.raw`/(?:${short}|${full})(?![\w#])[\s\0]*(/?[^\s\0/>]*)`, 'g')),
    ]
    // as the value of another entry it is no key, but nobody needs that
    if (values.length > 1) throw new Disagreement('an image among operators that says something twice')
    if (values[0] !== undefined) found[short] = values[0][1]!
  }
  if (found.F !== undefined) return 0
  const isMask = found.IM === 'true'
  const components = isMask ? 1 : (COMPONENTS[(found.CS ?? '').slice(1)] ?? 0)
  const bits = isMask ? 1 : Number(found.BPC ?? 8)
  const bytes = Math.ceil((Number(found.W) * bits * components) / 8) * Number(found.H)
  return Number.isFinite(bytes) ? bytes : 0
}
