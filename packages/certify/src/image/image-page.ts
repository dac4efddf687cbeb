import { PdfDict } from '@libpdf/core'
import { formatPoints } from '../pdf/format-points.ts'
import { nameOf, numbersOf } from '../pdf/object-store.ts'
import type { EmbeddedImage } from './embed-image.ts'

/** A4 in points. */
const SHORT_SIDE = 595.28
const LONG_SIDE = 841.89
const MARGIN = 30
/** Room for the stamp. */
const BOTTOM_MARGIN = 34
/** Small images are not blown up: at most one pixel in a 96th of an inch. */
const MAX_POINTS_PER_PIXEL = 0.75

/** Operands of `cm` that turn the unit square so that the image stands upright (Exif orientation 1 to 8). */
const UPRIGHT: Record<number, readonly number[]> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
}

export interface ImagePage {
  page: PdfDict
  /** Operators that draw the image; resources must have it as /PdImage. */
  content: string
}

/** An A4 page, upright or lying as the image is, with the image as large as fits. */
export function makeImagePage(image: EmbeddedImage): ImagePage {
  const isTurned = image.orientation >= 5
  const pixelsWide = isTurned ? image.height : image.width
  const pixelsHigh = isTurned ? image.width : image.height
  const [width, height] = pixelsWide > pixelsHigh ? [LONG_SIDE, SHORT_SIDE] : [SHORT_SIDE, LONG_SIDE]
  const roomWide = width - 2 * MARGIN
  const roomHigh = height - MARGIN - BOTTOM_MARGIN
  const scale = Math.min(roomWide / pixelsWide, roomHigh / pixelsHigh, MAX_POINTS_PER_PIXEL)
  const wide = pixelsWide * scale
  const high = pixelsHigh * scale
  const left = (width - wide) / 2
  const bottom = BOTTOM_MARGIN + (roomHigh - high) / 2
  const upright = UPRIGHT[image.orientation] ?? UPRIGHT[1]!
  return {
    page: PdfDict.of({ Type: nameOf('Page'), MediaBox: numbersOf([0, 0, width, height]) }),
    content:
      `q ${formatPoints(wide)} 0 0 ${formatPoints(high)} ${formatPoints(left)} ${formatPoints(bottom)} cm ` +
      `${upright.join(' ')} cm /PdImage Do Q\n`,
  }
}
