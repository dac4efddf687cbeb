/** (x, y) goes to (ax + cy + e, bx + dy + f). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const UNCHANGED: Matrix = [1, 0, 0, 1, 0, 0]

type Point = readonly [x: number, y: number]

/** A path as far as it is one simple shape: others are drawn as what they cover by all readers, however thin. */
export interface SimplePath {
  /** Of the only part that has lines. */
  points: Point[]
  hasLines: boolean
  /** Another part has begun behind it. */
  isBehind: boolean
  isRich: boolean
}

/** In the unit of the points. */
export interface Extent {
  length: number
  /** At right angles to that. */
  thickness: number
  /** A rectangle along the axes, as far as can be told by its size. */
  isUpright: boolean
  /** What it lies within. */
  box: Box
}

/** From the left foot to the right head. */
export type Box = readonly [left: number, foot: number, right: number, head: number]

const MOST_POINTS = 16
/** Such a share of its length is nothing. */
const NOTHING = 1e-5

const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const ENDING = new Set([...FILLING, 'S', 's', 'n'])
const LINES = new Set(['m', 'l', 'c', 'v', 'y', 're'])

export const isFilling = (operator: string): boolean => FILLING.has(operator)
export const isEnding = (operator: string): boolean => ENDING.has(operator)
export const isLine = (operator: string): boolean => LINES.has(operator)

export const startPath = (): SimplePath => ({ points: [], hasLines: false, isBehind: false, isRich: false })

/** @param figures The operands of an operator that `isLine`, asked for only where they matter. */
export function extendPath(path: SimplePath, operator: string, figures: () => readonly number[]): void {
  if (operator === 'm') {
    if (path.hasLines) path.isBehind = true
    else path.points = [pointOf(figures(), 0)]
    return
  }
  if (operator === 're' ? path.hasLines : path.isBehind) path.isRich = true
  path.hasLines = true
  if (path.isRich) return
  const numbers = figures()
  if (operator === 're') path.points = cornersOf(numbers)
  else for (let i = 0; i < numbers.length; i += 2) path.points.push(pointOf(numbers, i))
  if (path.points.length > MOST_POINTS) path.isRich = true
}

const pointOf = (numbers: readonly number[], at: number): Point => [
  numbers[at] ?? Number.NaN,
  numbers[at + 1] ?? Number.NaN,
]

function cornersOf([
  x = Number.NaN,
  y = Number.NaN,
  width = Number.NaN,
  height = Number.NaN,
]: readonly number[]): Point[] {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ]
}

/**
 * From the first point to the one farthest from it, and off this line.
 * @returns undefined where it is not one simple shape.
 */
export function measurePath(
  { points, hasLines, isRich }: SimplePath,
  [a, b, c, d, e, f]: Matrix = UNCHANGED,
): Extent | undefined {
  if (!hasLines || isRich) return undefined
  const placed = points.map(([x, y]): Point => [a * x + c * y + e, b * x + d * y + f])
  const [[x0, y0]] = placed as [Point]
  let far: Point = [0, 0]
  for (const [x, y] of placed) if (Math.hypot(x - x0, y - y0) > Math.hypot(...far)) far = [x - x0, y - y0]
  const length = Math.hypot(...far)
  const off = placed.map(([x, y]) => Math.abs((x - x0) * far[1] - (y - y0) * far[0]) / length)
  const [left, foot, right, head] = boxOf(placed)
  const isUpright = placed.every(
    ([x, y]) => Math.min(x - left, right - x) <= LEEWAY && Math.min(y - foot, head - y) <= LEEWAY,
  )
  return {
    length,
    thickness: length === 0 ? 0 : Math.max(...off),
    isUpright: isUpright && (placed.length === 4 || placed.length === 5),
    box: [left, foot, right, head],
  }
}

/** How far a corner may lie from where it should. */
const LEEWAY = 0.01

function boxOf(points: readonly Point[]): Box {
  const [across, up] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)]
}

/** What the first does, and then the second. */
export function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

/** By how much a matrix scales in the direction in which it does least: the smaller of its singular values. */
export function leastScale(matrix: Matrix): number {
  const [a, b, c, d] = matrix
  const largest = mostScale(matrix)
  return largest === 0 ? 0 : Math.abs(a * d - b * c) / largest
}

/** The larger of its singular values. */
export function mostScale([a, b, c, d]: Matrix): number {
  const [sum, size] = [a * a + b * b + c * c + d * d, Math.abs(a * d - b * c)]
  return Math.sqrt((sum + Math.sqrt(Math.max(0, sum * sum - 4 * size * size))) / 2)
}

/** How thin it is where `isUpright`. A line from corner to corner has no thickness, and lies within a box that has. */
export const leastSide = ({ box: [left, foot, right, head] }: Extent): number => Math.min(right - left, head - foot)

/** Without any area: the reviewer's reader shows nothing of it, others a line of a pixel. */
export const isNothing = ({ length, thickness }: Extent): boolean => thickness <= NOTHING * length

/** @returns undefined where it takes all to a line. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const size = a * d - b * c
  if (size === 0 || !Number.isFinite(1 / size)) return undefined
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size]
}
