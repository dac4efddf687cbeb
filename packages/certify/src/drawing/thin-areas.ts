import { serializeNumber } from '../pdf/serialize-object.ts'
import {
  type Box,
  type Extent,
  extendPath,
  invert,
  leastSide,
  type Matrix,
  measurePath,
  multiply,
  startPath,
} from '../pdf/simple-path.ts'

/**
 * Points of the page. The reviewer's reader draws an area as faint as it is thin, others a line of a pixel at least: of so much a third
 * is seen on a usual screen.
 */
export const WIDE = 0.25
/**
 * Points. Rules, as tables have them, stay rectangles, of which others draw a pixel at least, however thin they are: so they look as they
 * did, and of so much the reviewer's reader draws nine tenths of a pixel on a usual screen.
 */
export const WIDE_RULE = 0.7
/** Points. Others draw more than a point of what is shorter. */
const LEAST_RULE = 2
/** Points. What is cut to a thin area may be as thin, and the reviewer's reader multiplies how faint both are. */
export const WIDE_CUT = 0.75
/**
 * Points; what is smaller in every way is a pixel to others, and a faint one to the reviewer's reader. Letters have their dots at any
 * size, and stencils are pixels to others however wide they are made: few of these are left as they are, and many by themselves refused.
 */
export const DOT = { page: 0.3, letter: 0.15 }

/** Points. The smallest area or hole is a whole pixel to others; one without any extent is nothing to anybody. */
export const ANY_DOT = Number.MIN_VALUE

/** Others than rectangles along the axes are as faint to all readers as they are thin. @param dot Points. */
export const isThin = (extent: Extent, dot: number): boolean =>
  extent.isUpright && extent.length >= dot && leastSide(extent) < WIDE

/**
 * @param box In coordinates that the matrix takes to the page.
 * @returns what to cut to instead, in the same coordinates; undefined where it is wide enough already.
 */
export function widenBox([x0, y0, x1, y1]: Box, matrix: Matrix): Box | undefined {
  const path = startPath()
  extendPath(path, 're', () => [x0, y0, x1 - x0, y1 - y0])
  const extent = measurePath(path, matrix)
  const back = invert(matrix)
  if (extent === undefined || back === undefined || !isThin(extent, ANY_DOT)) return undefined
  const corners = cornersOf(widen(extent.box, WIDE_CUT)).map((corner) => place(corner, back))
  const [across, up] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  return [Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)]
}

/**
 * The operators of an area that is wide enough. With a point in the middle of two sides it is no rectangle to readers that draw these as
 * lines: they draw it as faint as it is.
 */
export function writeWide({ box }: Extent, matrix: Matrix, wide: number): string | undefined {
  const back = invert(matrix)
  if (back === undefined) return undefined
  const [left, foot, right, head] = widen(box, wide)
  const middle = (left + right) / 2
  const points = [
    [left, foot],
    [middle, foot],
    [right, foot],
    [right, head],
    [middle, head],
    [left, head],
  ] as const
  const lines = points.map((point, i) => `${place(point, back).map(serializeNumber).join(' ')} ${i === 0 ? 'm' : 'l'}`)
  return `${lines.join(' ')} h`
}

/** Whether a thin area is a rule, as tables have them. */
export const isRule = ({ box: [left, foot, right, head] }: Extent): boolean =>
  Math.max(right - left, head - foot) >= LEAST_RULE

/** The operators of a rectangle that is as wide as rules are. */
export function writeRule({ box }: Extent, matrix: Matrix): string | undefined {
  const back = invert(matrix)
  if (back === undefined) return undefined
  const corners = cornersOf(widen(box, WIDE_RULE))
  return `${corners.map((corner, i) => `${place(corner, back).map(serializeNumber).join(' ')} ${i === 0 ? 'm' : 'l'}`).join(' ')} h`
}

/** The operator that makes pictures as wide as they must be, before they are drawn. */
export function writeStretch({ box }: Extent, matrix: Matrix): string | undefined {
  const back = invert(matrix)
  if (back === undefined) return undefined
  const [left, foot, right, head] = box
  const [wideLeft, wideFoot, wideRight, wideHead] = widen(box, WIDE)
  const [across, up] = [(wideRight - wideLeft) / (right - left), (wideHead - wideFoot) / (head - foot)]
  const stretch: Matrix = [across, 0, 0, up, wideLeft - across * left, wideFoot - up * foot]
  return `${multiply(multiply(matrix, stretch), back).map(serializeNumber).join(' ')} cm`
}

type Point = readonly [x: number, y: number]

const place = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [a * x + c * y + e, b * x + d * y + f]

const cornersOf = ([left, foot, right, head]: Box): Point[] => [
  [left, foot],
  [right, foot],
  [right, head],
  [left, head],
]

function widen([left, foot, right, head]: Box, wide: number): Box {
  const [across, up] = [right - left, head - foot].map((side) => (side < WIDE ? (wide - side) / 2 : 0)) as [
    number,
    number,
  ]
  return [left - across, foot - up, right + across, head + up]
}
