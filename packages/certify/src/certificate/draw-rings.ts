import { formatPoints } from '../pdf/format-points.ts'
import { type Colour, strokeColour } from './colours.ts'

/** Resource name of the large figure: drawn many times, written once. */
export const FIGURE = 'PdFigure'

interface Point {
  x: number
  y: number
}

/** One curve stands for so many steps of a ring: at 136 points across it is nowhere further off than a tenth of a point. */
const STEPS = 5

/**
 * Operators that stroke closed lines, in a box of 100 by 100 with y upwards. Colour and pen are the caller's. The figure is
 * the largest part of a short certificate, so it is written as curves with one decimal instead of its many points.
 * @param rings With y downwards, as `drawRosette` gives them: at even steps, a multiple of five.
 */
export function drawRings(rings: readonly Point[][]): string {
  let operators = ''
  for (const ring of rings) {
    operators += `${writePoint(ring[0]!)} m\n`
    for (let i = 0; i < ring.length; i += STEPS) {
      const start = ring[i]!
      const end = ring[(i + STEPS) % ring.length]!
      const near = movePoint(start, findSlope(ring, i), STEPS / 3)
      const far = movePoint(end, findSlope(ring, i + STEPS), -STEPS / 3)
      operators += `${writePoint(near)} ${writePoint(far)} ${writePoint(end)} c\n`
    }
    operators += 's\n'
  }
  return operators
}

/** Change per step at a point of a closed line, from its four neighbours. */
function findSlope(ring: readonly Point[], at: number): Point {
  const point = (i: number): Point => ring[(i + ring.length) % ring.length]!
  const slope = (axis: 'x' | 'y'): number =>
    (8 * (point(at + 1)[axis] - point(at - 1)[axis]) - (point(at + 2)[axis] - point(at - 2)[axis])) / 12
  return { x: slope('x'), y: slope('y') }
}

const movePoint = (from: Point, slope: Point, steps: number): Point => ({
  x: from.x + steps * slope.x,
  y: from.y + steps * slope.y,
})

const writePoint = ({ x, y }: Point): string => `${Math.round(x * 10) / 10} ${Math.round((100 - y) * 10) / 10}`

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
