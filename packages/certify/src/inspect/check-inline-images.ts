import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import { Refusal } from '../errors.ts'
import { readNameEscapes } from '../pdf/read-name-escapes.ts'
import { checkInlineImageEnds, type InlineImage, type InlineImages, readInlineImages } from './inline-image-ends.ts'
import { listInlineJpegs } from './list-inline-jpegs.ts'

const NONE: InlineImages = { images: [], hasStrayEnd: false }
/** A name and a number behind it; comments may stand between them. */
const NUMBERED = /\/([\w#]{1,18})[\s\0]*(?:%[^\r\n]*[\r\n][\s\0]*)*([+\-.\d][+\-.\dE]*)/gi

/**
 * Looks in content for images that stand among its operators (`BI`, `ID`, `EI`; ISO 32000-2 section 8.9.7).
 * @param isDrawn Unless so only what it could be taken for counts.
 * @returns them, and the JPEGs among them, which are still to be decoded.
 * @throws Refusal `image_too_large`, or `unreadable` where readers would not agree where one ends.
 */
export function checkInlineImages(content: Buffer, isDrawn: boolean): { images: InlineImage[]; jpegs: Uint8Array[] } {
  if (!content.includes('BI')) return { images: [], jpegs: [] }
  const found = isDrawn ? readInlineImages(content) : NONE
  const { widest, highest } = measureNamed(withoutLetters(content, found))
  // where an image begins and ends readers do not agree, so the widest counts with the highest
  if (widest * highest > IMAGE_MAX_PIXELS) throw new Refusal('image_too_large', 'an image among operators')
  checkInlineImageEnds(content, found)
  return { images: found.images, jpegs: listInlineJpegs(content, found) }
}

/** The text of content, but for data in letters, which may look like names and numbers. */
function withoutLetters(content: Buffer, { images }: InlineImages): string {
  const kept: string[] = []
  let at = 0
  for (const { data, lettersEnd } of images) {
    if (lettersEnd === undefined) continue
    kept.push(content.toString('latin1', at, data))
    at = lettersEnd
  }
  return [...kept, content.toString('latin1', at)].join(' ')
}

function measureNamed(content: string): { widest: number; highest: number } {
  let widest = 0
  let highest = 0
  for (const [, name = '', digits = ''] of content.matchAll(NUMBERED)) {
    const plain = readNameEscapes(name)
    if (plain === 'W' || plain === 'Width') widest = Math.max(widest, readAtMost(digits))
    if (plain === 'H' || plain === 'Height') highest = Math.max(highest, readAtMost(digits))
  }
  return { widest, highest }
}

/** The most that any reader makes of such a number: some heed exponents, some pass over signs within. */
function readAtMost(digits: string): number {
  return /e/i.test(digits) ? Infinity : Number.parseFloat(digits.replaceAll(/[+-]/g, '')) || 0
}
