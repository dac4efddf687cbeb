import { isShowing } from '../drawing/follow-letters.ts'
import { leastScale, type Matrix } from '../pdf/simple-path.ts'

interface Set {
  mode: number
  /** Letters have no extent in one direction: of their size, or how far they are stretched. */
  isSqueezed: { size: boolean; stretch: boolean }
}

/** How letters are shown, as far as readers cut to them or draw their edges differently. */
export interface TextModes extends Set {
  saved: Set[]
  start: number
  /** Letters of this text are cut to. */
  isCutting: boolean
  /** The same of the matrix of the text. */
  isFlat: boolean
}

/** Of a mode and those beyond it letters are cut to (ISO 32000-2 table 104). */
const CUTTING = 4
/** Edges of letters are drawn. */
const STROKING = new Set([1, 2, 5, 6])
/** How much wider edges may be drawn in one direction than in the other: the reviewer's reader draws all alike. */
const MOST_UNEVEN = 4
const OPERATORS = new Set(['q', 'Q', 'Tr', 'Tf', 'Tz', 'Tm', 'BT', 'ET'])

export const isTextModeOperator = (operator: string): boolean => OPERATORS.has(operator) || isShowing(operator)

/** @param start The mode in which content begins. */
export const startTextModes = (start = 0): TextModes => ({
  ...beginAt(start),
  saved: [],
  start,
  isCutting: false,
  isFlat: false,
})

const beginAt = (mode: number): Set => ({ mode, isSqueezed: { size: false, stretch: false } })

/**
 * @param figures What the operator sets.
 * @param matrix From the content to the page.
 * @returns what is wrong: PDFium cuts to letters only where the mode at the end of the text cuts, others wherever such letters are shown;
 *   edges of letters without extent the reviewer's reader alone leaves out.
 */
export function followTextMode(
  modes: TextModes,
  operator: string,
  figures: () => readonly number[],
  matrix: Matrix,
): string | undefined {
  if (operator === 'q') modes.saved.push({ mode: modes.mode, isSqueezed: { ...modes.isSqueezed } })
  else if (operator === 'Q') Object.assign(modes, modes.saved.pop() ?? beginAt(modes.start))
  else if (operator === 'Tr') modes.mode = figures()[0] ?? 0
  else if (operator === 'Tf') modes.isSqueezed.size = figures().at(-1) === 0
  else if (operator === 'Tz') modes.isSqueezed.stretch = figures()[0] === 0
  else if (operator === 'Tm') modes.isFlat = isFlat(figures())
  else if (operator === 'BT') Object.assign(modes, { isCutting: false, isFlat: false })
  else if (operator === 'ET')
    return modes.isCutting && modes.mode < CUTTING ? 'letters that are cut to before others of their text' : undefined
  else return showLetters(modes, matrix)
  return undefined
}

const isFlat = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean => a * d === b * c

function showLetters(modes: TextModes, matrix: Matrix): string | undefined {
  if (modes.mode >= CUTTING) modes.isCutting = true
  if (!STROKING.has(modes.mode)) return undefined
  const { size, stretch } = modes.isSqueezed
  if (size || stretch || modes.isFlat) return 'edges of letters without extent'
  const [a, b, c, d] = matrix
  const least = leastScale(matrix)
  const area = Math.abs(a * d - b * c)
  return area / least <= MOST_UNEVEN * least ? undefined : 'edges of letters that are drawn unevenly'
}
