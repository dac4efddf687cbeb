import { isShowing } from '../drawing/follow-letters.ts'
import { leastScale, type Matrix } from '../pdf/simple-path.ts'

interface Set {
  mode: number
  /** Letters have no extent in one direction: of their size, or how far they are stretched. */
  isSqueezed: { size: boolean; stretch: boolean }
  /** They are not as wide as the font says: not at all, as the content chose, or as was chosen before it began. */
  stretched: 'no' | 'here' | 'before'
}

/** How letters are shown, as far as readers cut to them or draw their edges differently. */
export interface TextModes extends Set {
  saved: Set[]
  start: Set
  /** Letters of this text are cut to. */
  isCutting: boolean
  /** The same of the matrix of the text. */
  isFlat: boolean
  /** Between BT and ET. */
  isText: boolean
  /** A path, or a state that was restored, has moved the place of the next letters in Poppler. */
  isAstray: boolean
}

/** Of a mode and those beyond it letters are cut to (ISO 32000-2 table 104). */
const CUTTING = 4
/** Edges of letters are drawn. */
const STROKING = new Set([1, 2, 5, 6])
/** How much wider edges may be drawn in one direction than in the other: the reviewer's reader draws all alike. */
const MOST_UNEVEN = 4
const STRAYING = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're', 'Q'])
const MOVING = new Set(['Td', 'TD', 'T*', 'Tm', "'", '"'])
const OPERATORS = new Set(['q', 'Tr', 'Tf', 'Tz', 'BT', 'ET', ...STRAYING, ...MOVING])

export const isTextModeOperator = (operator: string): boolean => OPERATORS.has(operator) || isShowing(operator)

/**
 * @param mode In which content begins.
 * @param isStretched Letters are stretched there.
 */
export function startTextModes(mode = 0, isStretched = false): TextModes {
  const start: Set = { mode, isSqueezed: { size: false, stretch: false }, stretched: isStretched ? 'before' : 'no' }
  return { ...start, saved: [], start, isCutting: false, isFlat: false, isText: false, isAstray: false }
}

const keepSet = ({ mode, isSqueezed, stretched }: Set): Set => ({ mode, isSqueezed: { ...isSqueezed }, stretched })

/** As a form that is drawn there begins. */
export const keepTextModes = ({ mode, stretched }: TextModes): { textMode: number; isStretched: boolean } => ({
  textMode: mode,
  isStretched: stretched !== 'no',
})

/**
 * @param figures What the operator sets.
 * @param matrix From the content to the page.
 * @returns what is wrong: PDFium cuts to letters only where the mode at the end of the text cuts, others wherever such letters are shown;
 *   edges of letters without extent the reviewer's reader alone leaves out; in a form PDFium alone does not stretch letters as was chosen
 *   before it; behind a path within a text Poppler goes on where that ended.
 */
export function followTextMode(
  modes: TextModes,
  operator: string,
  figures: () => readonly number[],
  matrix: Matrix,
): string | undefined {
  if (modes.isText && STRAYING.has(operator)) modes.isAstray = true
  else if (MOVING.has(operator)) modes.isAstray = false
  if (operator === 'q') modes.saved.push(keepSet(modes))
  else if (operator === 'Q') Object.assign(modes, modes.saved.pop() ?? keepSet(modes.start))
  else if (operator === 'Tr') modes.mode = figures()[0] ?? 0
  else if (operator === 'Tf') modes.isSqueezed.size = figures().at(-1) === 0
  else if (operator === 'Tz') setStretch(modes, figures()[0])
  else if (operator === 'Tm') modes.isFlat = isFlat(figures())
  else if (operator === 'BT') Object.assign(modes, { isCutting: false, isFlat: false, isText: true, isAstray: false })
  else if (operator === 'ET') return endText(modes)
  else if (isShowing(operator)) return showLetters(modes, matrix)
  return undefined
}

function setStretch(modes: TextModes, stretch: number | undefined): void {
  modes.isSqueezed.stretch = stretch === 0
  modes.stretched = stretch === 100 ? 'no' : 'here'
}

function endText(modes: TextModes): string | undefined {
  modes.isText = false
  return modes.isCutting && modes.mode < CUTTING ? 'letters that are cut to before others of their text' : undefined
}

const isFlat = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): boolean => a * d === b * c

function showLetters(modes: TextModes, matrix: Matrix): string | undefined {
  if (modes.mode >= CUTTING) modes.isCutting = true
  if (modes.isAstray) return 'letters behind a path that is within their text'
  if (modes.stretched === 'before') return 'letters that are stretched as was chosen outside of the form'
  if (!STROKING.has(modes.mode)) return undefined
  const { size, stretch } = modes.isSqueezed
  if (size || stretch || modes.isFlat) return 'edges of letters without extent'
  const [a, b, c, d] = matrix
  const least = leastScale(matrix)
  const area = Math.abs(a * d - b * c)
  return area / least <= MOST_UNEVEN * least ? undefined : 'edges of letters that are drawn unevenly'
}
