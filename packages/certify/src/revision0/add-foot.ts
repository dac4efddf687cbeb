import type { PdfDict } from '@libpdf/core'
import { numbersOf } from '../pdf/object-store.ts'
import type { Box, PageView } from '../pdf/page-box.ts'

/**
 * Makes a page taller at its foot as seen, so that what is drawn there covers nothing of it: all that it shows stays where it is.
 * What its crop box hid below must be painted over.
 * @param points As seen, in units of 1/72 inch.
 */
export function addFoot(entries: PdfDict, view: PageView, points: number): void {
  const shown = growDown(view, points / view.unit)
  const [left, bottom, right, top] = view.mediaBox
  const whole = [
    Math.min(left, shown[0]),
    Math.min(bottom, shown[1]),
    Math.max(right, shown[2]),
    Math.max(top, shown[3]),
  ]
  entries.set('MediaBox', numbersOf(whole))
  if (shown.some((side, i) => side !== whole[i])) entries.set('CropBox', numbersOf(shown))
  else entries.delete('CropBox')
}

/** Which side of the box is the foot is told by how the page is turned. */
function growDown({ box: [left, bottom, right, top], rotation }: PageView, by: number): Box {
  if (rotation === 90) return [left, bottom, right + by, top]
  if (rotation === 180) return [left, bottom, right, top + by]
  if (rotation === 270) return [left - by, bottom, right, top]
  return [left, bottom - by, right, top]
}
