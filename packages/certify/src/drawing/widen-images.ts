import { Disagreement } from '../errors.ts'
import {
  extendPath,
  invert,
  leastScale,
  type Matrix,
  measurePath,
  mostScale,
  multiply,
  startPath,
} from '../pdf/simple-path.ts'
import { serializeNumber } from '../pdf/serialize-object.ts'
import type { Edit } from '../pdf/apply-edits.ts'
import type { Place } from './find-places.ts'
import type { Image } from './read-drawn.ts'
import { DOT, isThin, WIDE_CUT, writeStretch } from './thin-areas.ts'

/** Points. Others draw it a pixel wide at any thickness, so it is made one of a usual screen. */
const THIN_SLANTED = 0.5
/** Of the largest page that there is, in points. Poppler draws nothing of images of twice as much. */
const LARGEST = 15_000
const LEEWAY = 1e-6
/** Of how long an image is: thinner it is a line, which PDFium draws where it goes from corner to corner. */
const NOTHING = 1e-7

/**
 * Stencils are painted like areas of their size. Other images are a pixel wide to all readers where they lie along the axes; slanted ones
 * are as faint as they are thin to the reviewer's reader, and a pixel to others.
 * @throws Refusal `unreadable` for those that are larger than any page.
 */
export function widenImage(
  { kind, from, to, matrix }: Image,
  { isLetter, isSlanted: isElsewhereSlanted, matrix: around, largest }: Place,
): Edit[] {
  const square = startPath()
  extendPath(square, 're', () => [0, 0, 1, 1])
  const extent = measurePath(square, matrix)
  if (extent === undefined) return []
  const [a, b, c, d] = matrix
  const times = around === undefined ? 1 : largest / mostScale(around)
  if (times * Math.max(Math.hypot(a, b), Math.hypot(c, d)) > LARGEST)
    throw new Disagreement('an image so large that some readers do not draw it')
  if (kind === 'stencil' && isAlongAxes(matrix, LEEWAY)) {
    const isWide = !isThin(extent, isLetter ? DOT.letter : DOT.page)
    return isWide ? [] : wrap(from, to, writeStretch(extent, matrix))
  }
  if (isAlongAxes(matrix) && !isElsewhereSlanted) return []
  const [least, length] = [leastScale(matrix), extent.length]
  if (least <= NOTHING * length) return isAlongAxes(matrix) ? [] : [{ from, to, text: '' }]
  if (least >= THIN_SLANTED) return []
  return wrap(from, to, writeSlantedStretch(matrix))
}

/** @param leeway A share of the largest of its numbers, beyond which one is more than what is left of a rounding. */
function isAlongAxes([a, b, c, d]: Matrix, leeway = 0): boolean {
  const most = leeway * Math.max(...[a, b, c, d].map(Math.abs))
  const areNothing = (one: number, other: number): boolean => Math.abs(one) <= most && Math.abs(other) <= most
  return areNothing(b, c) || areNothing(a, d)
}

export const isSlanted = (matrix: Matrix): boolean => !isAlongAxes(matrix)

function wrap(from: number, to: number, stretch: string | undefined): Edit[] {
  if (stretch === undefined) return []
  return [
    { from, to: from, text: `q ${stretch} ` },
    { from: to, to, text: ' Q' },
  ]
}

/** Around its middle, in the direction in which it is thin, and along it where it is as short. */
function writeSlantedStretch(matrix: Matrix): string | undefined {
  const back = invert(matrix)
  if (back === undefined) return undefined
  const [a, b, c, d, e, f] = matrix
  const least = leastScale(matrix)
  const most = Math.abs(a * d - b * c) / least
  // the direction in which it is longest, from the squares of the matrix
  const angle = Math.atan2(2 * (a * b + c * d), a * a + c * c - (b * b + d * d)) / 2
  const [x, y] = [Math.cos(angle), Math.sin(angle)]
  const [across, along] = [WIDE_CUT / least, Math.max(1, WIDE_CUT / most)]
  const turned: Matrix = [
    along * x * x + across * y * y,
    (along - across) * x * y,
    (along - across) * x * y,
    along * y * y + across * x * x,
    0,
    0,
  ]
  const [middleX, middleY] = [(a + c) / 2 + e, (b + d) / 2 + f]
  const stretch = multiply(multiply([1, 0, 0, 1, -middleX, -middleY], turned), [1, 0, 0, 1, middleX, middleY])
  return `${multiply(multiply(matrix, stretch), back).map(serializeNumber).join(' ')} cm`
}
