import type { PdfDict } from '@libpdf/core'
import { LIKE, measureDistance, readToScreen } from '../copying/compare-colours.ts'
import { readFunction } from '../copying/evaluate-function.ts'
import { type ObjectStore, type PdfObject, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { mostScale } from '../pdf/simple-path.ts'
import { readMatrix } from './read-form.ts'

/** The reviewer’s reader asks the function of an area at so many places across and up, at most, a unit from each other. */
const MOST_STEPS = 512
/** Places across and up that are looked at, at least, and at most where steps are small. */
const LEAST_PLACES = 128
const MOST_PLACES = 256
/** Points of the page: what is mixed over so much is no edge any more. */
const WIDEST_STEP = 2
/** Places across and up whose mean counts where steps are small: an edge between two of them is no fault. */
const BLOCK = 16

/**
 * Looks at a gradient over an area whose function tells the colour of each place (ISO 32000-2 section 8.7.4.5.2). The reviewer’s reader asks
 * at the corners of a grid and mixes what is between; others ask at each pixel.
 * @param scale Points of the page for its unit.
 * @returns whether both come to the same.
 */
export function isEvenArea(store: ObjectStore, gradient: PdfDict, scale: number): boolean {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const made = readFunction(store, gradient.get('Function'))
  const toScreen = readToScreen(store, gradient.get('ColorSpace'))
  if (made === undefined || toScreen === undefined) return false
  const [x0 = 0, x1 = 1, y0 = 0, y1 = 1] = readNumbers(gradient.get('Domain'), resolve) ?? []
  const matrix = readMatrix(store, gradient, 'Matrix')
  const [a, b, c, d] = matrix
  const [width, height] = [x1 - x0, y1 - y0]
  const across = countSteps(Math.abs(a * width) + Math.abs(c * height))
  const up = countSteps(Math.abs(b * width) + Math.abs(d * height))
  const step = Math.max(width / across, height / up) * mostScale(matrix) * scale
  const isWide = step > WIDEST_STEP
  const [columns, rows] = [across, up].map((steps) => countPlaces(steps, isWide ? MOST_STEPS : MOST_PLACES))
  const grid = makeGrid({ across, up, columns: columns!, rows: rows! }, (x, y) =>
    toScreen(made.evaluate([x0 + x * width, y0 + y * height])),
  )
  return isWide ? isLikeEverywhere(grid) : isLikeOnTheWhole(grid)
}

const countSteps = (size: number): number => Math.max(1, Math.min(MOST_STEPS, Math.ceil(size)))

const countPlaces = (steps: number, most: number): number => Math.min(most, steps * Math.ceil(LEAST_PLACES / steps))

/** Colours asked for, and mixed from the corners of the grid, at places between them. */
interface Grid {
  columns: number
  rows: number
  asked: (column: number, row: number) => readonly number[]
  mixed: (column: number, row: number) => readonly number[]
}

interface GridSize {
  across: number
  up: number
  columns: number
  rows: number
}

function makeGrid(
  { across, up, columns, rows }: GridSize,
  colourAt: (x: number, y: number) => readonly number[],
): Grid {
  const corners: (readonly number[])[] = []
  const cornerAt = (i: number, j: number): readonly number[] =>
    (corners[j * (across + 1) + i] ??= colourAt(i / across, j / up))
  // nowhere on a line of a regular pattern
  const place = (column: number, row: number): [x: number, y: number] => [
    (column + ((column * 0.618 + row * 0.382) % 1)) / columns,
    (row + ((row * 0.7549 + column * 0.5698) % 1)) / rows,
  ]
  return {
    columns,
    rows,
    asked: (column, row) => colourAt(...place(column, row)),
    mixed: (column, row) => {
      const [x, y] = place(column, row)
      const [i, j] = [Math.min(Math.floor(x * across), across - 1), Math.min(Math.floor(y * up), up - 1)]
      const [right, head] = [x * across - i, y * up - j]
      const [one, two, three, four] = [cornerAt(i, j), cornerAt(i + 1, j), cornerAt(i, j + 1), cornerAt(i + 1, j + 1)]
      return one.map((value, k) => {
        const foot = value + right * (two[k]! - value)
        return foot + head * (three[k]! + right * (four[k]! - three[k]!) - foot)
      })
    },
  }
}

function isLikeEverywhere({ columns, rows, asked, mixed }: Grid): boolean {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (measureDistance(asked(column, row), mixed(column, row)) > LIKE) return false
  return true
}

function isLikeOnTheWhole({ columns, rows, asked, mixed }: Grid): boolean {
  for (let top = 0; top < rows; top += BLOCK)
    for (let left = 0; left < columns; left += BLOCK) {
      const sums: number[] = []
      const [right, foot] = [Math.min(columns, left + BLOCK), Math.min(rows, top + BLOCK)]
      for (let row = top; row < foot; row++)
        for (let column = left; column < right; column++) {
          const other = mixed(column, row)
          for (const [i, value] of asked(column, row).entries()) sums[i] = (sums[i] ?? 0) + value - (other[i] ?? 0)
        }
      if (sums.some((sum) => Math.abs(sum) > LIKE * (right - left) * (foot - top))) return false
    }
  return true
}
