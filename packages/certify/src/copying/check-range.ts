import { PdfArray, PdfDict, type PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { type PdfObject, readNumbers } from '../pdf/object-store.ts'
import { readSpaceName } from './read-space-name.ts'

/** Of its two axes of colours where nothing is said, and what programs say for eight bits. */
const LAB_RANGES = new Set(['-100 100 -100 100', '-128 127 -128 127'])

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Takes of the ranges of an image those that are usual, and their reverse: of samples of one bit the reviewer's reader turns any other round,
 * in Lab it heeds none, and beyond what a colour can be each reader has its own (ISO 32000-2 section 8.9.5.2).
 * @param bits Of a sample.
 * @throws Refusal `unreadable`.
 */
export function checkRange(image: PdfStream, bits: number, resolve: Resolve): void {
  const range = readNumbers(image.get('Decode'), resolve)
  const space = resolve(image.get('ColorSpace'))
  if (readSpaceName(space, resolve) === 'Lab' && space instanceof PdfArray) checkLab(space, range, resolve)
  else if (range !== undefined) {
    const kinds = range.flatMap((value, i) => (i % 2 === 0 ? [`${value} ${range[i + 1]}`] : []))
    const isUsual = kinds.every((kind) => kind === '0 1' || kind === '1 0')
    if (!isUsual || (bits === 1 && new Set(kinds).size > 1))
      throw new Disagreement('an image with a range that readers do not agree about')
  }
}

function checkLab(space: PdfArray, range: readonly number[] | undefined, resolve: Resolve): void {
  const entries = resolve(space.at(1))
  const axes = entries instanceof PdfDict ? readNumbers(entries.get('Range'), resolve) : undefined
  const usual = (axes ?? [-100, 100, -100, 100]).join(' ')
  if (!LAB_RANGES.has(usual) || (range !== undefined && range.join(' ') !== `0 100 ${usual}`))
    throw new Disagreement('an image in Lab with a range of its own')
}
