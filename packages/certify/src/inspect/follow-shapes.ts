import { type FarLines, followFarLine, startFarLines } from './follow-far-lines.ts'
import { ANY_DOT, DOT } from '../drawing/thin-areas.ts'
import {
  type Box,
  type Extent,
  extendPath,
  isEnding,
  isFilling,
  isLine,
  leastScale,
  leastSide,
  type Matrix,
  measurePath,
  mostScale,
  multiply,
  type SimplePath,
  startPath,
} from '../pdf/simple-path.ts'

interface Placed {
  /** From the coordinates of the operators to those of the page, but for where the content as a whole lies. */
  matrix: Matrix
  /** What is drawn is cut to an area that nobody sees. */
  isCut: boolean
}

/** Where operators draw, and the path that they are at. */
export interface Shapes extends Placed {
  start: Placed
  saved: Placed[]
  path: SimplePath
  far: FarLines
  isClip: boolean
  /** It is known how large things come to be. */
  isSized: boolean
  /** Points; what is smaller in every way is a dot. */
  dot: number
  /** Those filled last. */
  filled: Box[]
  /** Areas that are a pixel at most, by where they lie. */
  dots: Set<string>
  /** How many more of them may touch none before them. */
  loneLeft: number
}

/**
 * Points of the page. Of less the reviewer's reader shows next to nothing at any usual size; others draw a rectangle, or what is cut to
 * one, a pixel wide at least.
 */
const THIN = 0.04
/** A share of the length, where nobody knows how large it is drawn: letters. */
const THIN_SHARE = 1 / 300
/** A share of the larger scale. PDFium paints a gradient all over where the other is nothing, others nothing. */
const FLAT = 1e-6
/** Too few to write with, unless they are drawn again and again. */
export const MOST_LONE = 8
/** Of a picture that is made of them. */
const MOST_DOTS = 200_000
/** Areas of other sizes that one may touch. */
const MOST_FILLED = 64

const SHOWING = new Set(['S', 's', 'Tj', 'TJ', "'", '"', 'sh', 'Do', 'BI'])
const OPERATORS = new Set(['q', 'Q', 'cm', 'W', 'W*', 'n', 'h'])

export const isShapeOperator = (operator: string): boolean =>
  OPERATORS.has(operator) || SHOWING.has(operator) || isLine(operator) || isFilling(operator)

/**
 * @param scale Of what is drawn on the page; undefined where it is not known.
 * @param loneLeft How many areas that are a pixel at most there may be by themselves.
 */
export function startShapes(scale: number | undefined, loneLeft: number, of: keyof typeof DOT): Shapes {
  const size = scale ?? 1
  const start: Placed = { matrix: [size, 0, 0, size, 0, 0], isCut: false }
  return {
    ...start,
    start,
    saved: [],
    path: startPath(),
    far: startFarLines(),
    isClip: false,
    isSized: scale !== undefined,
    dot: DOT[of],
    filled: [],
    dots: new Set(),
    loneLeft,
  }
}

/** @returns by how much things are scaled there in the direction in which it is least. */
export const readScale = ({ matrix, isSized }: Shapes): number | undefined => (isSized ? leastScale(matrix) : undefined)

/**
 * Follows paths and cuts as far as they can be too thin to be seen.
 * @param figures The numbers among the operands.
 * @returns what is wrong.
 */
export function followShape(shapes: Shapes, operator: string, figures: () => readonly number[]): string | undefined {
  if (isLine(operator) || operator === 'h') {
    const numbers = figures()
    if (operator !== 'h') extendPath(shapes.path, operator, () => numbers)
    followFarLine(shapes.far, operator, numbers, shapes.matrix)
  } else if (operator === 'q') shapes.saved.push({ matrix: shapes.matrix, isCut: shapes.isCut })
  else if (operator === 'Q') Object.assign(shapes, shapes.saved.pop() ?? shapes.start)
  else if (operator === 'cm') shapes.matrix = multiply(figures() as unknown as Matrix, shapes.matrix)
  else if (operator === 'W' || operator === 'W*') shapes.isClip = true
  else return followPainting(shapes, operator)
  return undefined
}

/** Of a stencil, which is painted like an area of its size. @param isBlank Asked only where it is small. @returns what is wrong. */
export function followStencil(shapes: Shapes, isBlank: () => boolean): string | undefined {
  const path = startPath()
  extendPath(path, 're', () => [0, 0, 1, 1])
  const extent = measurePath(path, shapes.matrix)!
  const isUnseen = isThin(shapes, extent)
  if ((isUnseen || extent.length < shapes.dot) && isBlank()) return undefined
  return isUnseen ? 'a picture that is too thin' : followFilled(shapes, extent)
}

function followPainting(shapes: Shapes, operator: string): string | undefined {
  const isCut = shapes.isCut && operator !== 'n'
  if (operator === 'sh' && leastScale(shapes.matrix) <= FLAT * mostScale(shapes.matrix))
    return 'a gradient without any extent'
  let fault: string | undefined
  if (isEnding(operator)) {
    const extent = measurePath(shapes.path, shapes.matrix)
    const isUnseen = isThin(shapes, extent)
    if (isFilling(operator) && extent) fault = isUnseen ? 'an area that is too thin' : followFilled(shapes, extent)
    if (shapes.isClip && isThin({ ...shapes, dot: ANY_DOT }, extent)) shapes.isCut = true
    if (shapes.far.isFar && (shapes.isClip || operator !== 'n')) fault ??= 'a line that goes too far'
    shapes.far = startFarLines()
    shapes.path = startPath()
    shapes.isClip = false
  }
  if (fault !== undefined) return fault
  return isCut ? 'what is cut to an area that is too thin' : undefined
}

/** Others are as faint to all readers as they are thin. */
function isThin({ isSized, dot }: Shapes, extent: Extent | undefined): boolean {
  if (!extent?.isUpright) return false
  const [{ length }, side] = [extent, leastSide(extent)]
  return isSized ? length >= dot && side < THIN : side < THIN_SHARE * length
}

/** Dots that touch other areas are as grey as what they are a part of; those by themselves would be written with. */
function followFilled(shapes: Shapes, extent: Extent): string | undefined {
  if (!shapes.isSized) return undefined
  const { filled } = shapes
  const { isUpright, length, box } = extent
  if (isUpright && length > 0 && length < shapes.dot) {
    const isBeside = filled.some((other) => areNear(box, other, length))
    if (!noteDot(shapes.dots, extent) && !isBeside) shapes.loneLeft--
  }
  if (filled.length >= MOST_FILLED) filled.shift()
  filled.push(box)
  return shapes.loneLeft < 0 ? 'areas that are too small' : undefined
}

const areNear = (one: Box, other: Box, least: number): boolean =>
  one[0] - other[2] <= least && other[0] - one[2] <= least && one[1] - other[3] <= least && other[1] - one[3] <= least

/** @returns whether one of its size is beside it. */
function noteDot(dots: Set<string>, { length, box: [left, foot] }: Extent): boolean {
  const size = Math.ceil(Math.log2(length))
  const [column, row] = [Math.floor(left / 2 ** size), Math.floor(foot / 2 ** size)]
  const isBeside = AROUND.some(([across, up]) => dots.has(`${size} ${column + across} ${row + up}`))
  if (dots.size >= MOST_DOTS) dots.clear()
  dots.add(`${size} ${column} ${row}`)
  return isBeside
}

const AROUND = [-1, 0, 1].flatMap((across) => [-1, 0, 1].map((up) => [across, up] as const))
