import { leastScale, type Matrix, multiply, UNCHANGED } from '../pdf/simple-path.ts'

interface Font {
  /** As the resources name it; undefined where it was chosen by whatever draws this content. */
  name: string | undefined
  /** Points. */
  size: number
  /** Across, of one. */
  stretch: number
}

/** What sets how large letters are drawn (ISO 32000-2 section 9.4.4). */
export interface Letters extends Font {
  matrix: Matrix
  saved: Font[]
}

const STATE = new Set(['q', 'Q', 'BT', 'Tf', 'Tm', 'Tz'])
const SHOWING = new Set(['Tj', 'TJ', "'", '"'])

export const isLetterOperator = (operator: string): boolean => STATE.has(operator) || SHOWING.has(operator)

export const isShowing = (operator: string): boolean => SHOWING.has(operator)

export const startLetters = (): Letters => ({ ...START, matrix: UNCHANGED, saved: [] })

const START: Font = { name: undefined, size: 1, stretch: 1 }

/**
 * @param figures The numbers among the operands.
 * @param name The name among them.
 */
export function followLetters(
  letters: Letters,
  operator: string,
  figures: () => readonly number[],
  name: () => string,
): void {
  if (operator === 'q') letters.saved.push({ name: letters.name, size: letters.size, stretch: letters.stretch })
  else if (operator === 'Q') Object.assign(letters, letters.saved.pop() ?? START)
  else if (operator === 'BT') letters.matrix = UNCHANGED
  else if (operator === 'Tm') letters.matrix = figures() as unknown as Matrix
  else if (operator === 'Tf') Object.assign(letters, { name: name(), size: figures().at(-1) })
  else if (operator === 'Tz') letters.stretch = figures()[0]! / 100
}

/** From the units of the font to the page. */
export function placeLetters({ matrix, size, stretch }: Letters, page: Matrix): Matrix {
  return multiply([size * stretch, 0, 0, size, 0, 0], multiply(matrix, page))
}

/** @returns by how much letters are scaled on this way in the direction in which it is least. */
export const measureLetters = (letters: Letters, page: Matrix): number => leastScale(placeLetters(letters, page))
