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
/** How far its two middle points lie from its ends, in steps. */
const REACH = STEPS / 3

/**
 * Operators that stroke closed lines, in a box of 100 by 100 with y upwards. Colour and pen are the caller's. The figure is
 * the largest part of a short certificate, so it is written as curves with one decimal instead of its many points.
 * @param rings With y downwards, as `drawRosette` gives them: at even steps, a multiple of five.
 */
export function drawRings(rings: readonly Point[][]): string {
  let operators = ''
  for (const ring of rings) {
    let start = ring[0]!
    let startSlope = findSlope(ring, 0)
    operators += `${writePoint(start.x, start.y)} m\n`
    for (let i = STEPS; i <= ring.length; i += STEPS) {
      const end = ring[i % ring.length]!
      const endSlope = findSlope(ring, i)
      const near = writePoint(start.x + REACH * startSlope.x, start.y + REACH * startSlope.y)
      const far = writePoint(end.x - REACH * endSlope.x, end.y - REACH * endSlope.y)
      operators += `${near} ${far} ${writePoint(end.x, end.y)} c\n`
      start = end
      startSlope = endSlope
    }
    operators += 's\n'
  }
  return operators
}

/** Change per step at a point of a closed line, from its four neighbours. */
function findSlope(ring: readonly Point[], at: number): Point {
  const count = ring.length
  const [last, next] = [ring[(at - 1 + count) % count]!, ring[(at + 1) % count]!]
  const [lastButOne, nextButOne] = [ring[(at - 2 + count) % count]!, ring[(at + 2) % count]!]
  return {
    x: (8 * (next.x - last.x) - (nextButOne.x - lastButOne.x)) / 12,
    y: (8 * (next.y - last.y) - (nextButOne.y - lastButOne.y)) / 12,
  }
}

/** Tenths from 0 to 100, written: a figure has four thousand numbers, and writing them takes the longest. */
const TENTHS = Array.from({ length: 1001 }, (_, tenths) => String(tenths / 10))

const writeTenths = (value: number): string => {
  const tenths = Math.round(value * 10)
  return TENTHS[tenths] ?? String(tenths / 10)
}

const writePoint = (x: number, y: number): string => `${writeTenths(x)} ${writeTenths(100 - y)}`

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
