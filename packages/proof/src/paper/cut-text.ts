import { writeUtf8 } from '../utf8.ts'

/**
 * The beginning of a text that fits, never ending within a character as people see it.
 * @param mostBytes of UTF-8
 * @see Unicode Standard Annex 29
 */
export function cutText(text: string, mostBytes: number): { text: string; isCut: boolean } {
  const whole = text.toWellFormed()
  if (writeUtf8(whole).length <= mostBytes) return { text: whole, isCut: false }
  let kept = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter('en').segment(whole)) {
    bytes += writeUtf8(segment).length
    if (bytes > mostBytes) break
    kept += segment
  }
  // One character of many marks may be longer than all the room there is.
  return { text: kept === '' ? cutCodePoints(whole, mostBytes) : kept, isCut: true }
}

function cutCodePoints(text: string, mostBytes: number): string {
  let kept = ''
  for (const character of text) {
    if (writeUtf8(kept + character).length > mostBytes) break
    kept += character
  }
  return kept
}
