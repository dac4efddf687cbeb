import type { Matrix } from '../pdf/simple-path.ts'

/** The path that operators are at, as far as it leads far away from the page. */
export interface FarLines {
  first: Point
  last: Point
  isFar: boolean
}

type Point = readonly [x: number, y: number]

/** Points of the page, which has 14,400 at most. PDFium loses lines with ends beyond 32,767 pixels. */
const FAR = 16_000
/** Poppler loses even upright ones there. */
const FARTHEST = 1e9
const CURVES = new Set(['c', 'v', 'y'])
/** So little across is upright. */
const LEEWAY = 1

const NOWHERE: Point = [0, 0]

export const startFarLines = (): FarLines => ({ first: NOWHERE, last: NOWHERE, isFar: false })

/**
 * Lines along the axes are cut off by all readers alike, however long they are.
 * @param figures The operands of an operator that builds a path, or of `h`.
 * @param matrix To the page.
 */
export function followFarLine(lines: FarLines, operator: string, figures: readonly number[], matrix: Matrix): void {
  const points = listPoints(operator, figures).map((point) => place(point, matrix))
  const ends = operator === 'h' ? [lines.first] : points
  let last = operator === 'm' || operator === 're' ? ends[0]! : lines.last
  if (operator === 'm' || operator === 're') lines.first = last
  for (const end of ends) {
    const isBent = CURVES.has(operator) || isSlanted(last, end)
    lines.isFar ||= Math.max(reach(last), reach(end)) > (isBent ? FAR : FARTHEST)
    last = end
  }
  lines.last = last
}

function listPoints(operator: string, figures: readonly number[]): Point[] {
  if (operator !== 're') return figures.flatMap((x, i) => (i % 2 === 0 ? [[x, figures[i + 1] ?? 0] as const] : []))
  const [x = 0, y = 0, width = 0, height = 0] = figures
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
    [x, y],
  ]
}

const place = ([x, y]: Point, [a, b, c, d, e, f]: Matrix): Point => [a * x + c * y + e, b * x + d * y + f]
const reach = ([x, y]: Point): number => Math.max(Math.abs(x), Math.abs(y))
const isSlanted = (one: Point, other: Point): boolean =>
  Math.min(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1])) > LEEWAY
