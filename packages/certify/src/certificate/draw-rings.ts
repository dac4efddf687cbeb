import { formatPoints } from '../pdf/format-points.ts'
import { type Colour, strokeColour } from './colours.ts'

/** Resource name of the large figure: drawn many times, written once. */
export const FIGURE = 'PdFigure'

/**
 * Operators that stroke closed lines, in a box of 100 by 100 with y upwards. Colour and pen are the caller's.
 * @param rings With y downwards, as `drawRosette` gives them.
 */
export function drawRings(rings: readonly { x: number; y: number }[][]): string {
  let operators = ''
  for (const ring of rings) {
    for (const [i, point] of ring.entries()) {
      operators += `${point.x} ${Math.round((100 - point.y) * 100) / 100} ${i === 0 ? 'm' : 'l'}\n`
    }
    operators += 's\n'
  }
  return operators
}

/**
 * Draws the shared figure.
 * @param y Lower edge, from the bottom of the page.
 * @param size Width and height, in points.
 * @param pen Line width, in points.
 */
export function placeFigure(x: number, y: number, size: number, colour: Colour, pen: number): string {
  const scale = size / 100
  const place = `${formatPoints(scale)} 0 0 ${formatPoints(scale)} ${formatPoints(x)} ${formatPoints(y)} cm`
  return `q ${strokeColour(colour)} ${formatPoints(pen / scale)} w 1 j ${place} /${FIGURE} Do Q\n`
}
