import { isShowing } from '../drawing/follow-letters.ts'

/** How letters are shown, as far as readers cut to them differently. */
export interface TextModes {
  mode: number
  saved: number[]
  start: number
  /** Letters of this text are cut to. */
  isCutting: boolean
}

/** Of a mode and those beyond it letters are cut to (ISO 32000-2 table 104). */
const CUTTING = 4
const OPERATORS = new Set(['q', 'Q', 'Tr', 'BT', 'ET'])

export const isTextModeOperator = (operator: string): boolean => OPERATORS.has(operator) || isShowing(operator)

/** @param start The mode in which content begins. */
export const startTextModes = (start = 0): TextModes => ({ mode: start, saved: [], start, isCutting: false })

/**
 * @param read What `Tr` sets.
 * @returns what is wrong: PDFium cuts to letters only where the mode at the end of the text cuts, others wherever such letters are shown.
 */
export function followTextMode(modes: TextModes, operator: string, read: () => number): string | undefined {
  if (operator === 'q') modes.saved.push(modes.mode)
  else if (operator === 'Q') modes.mode = modes.saved.pop() ?? modes.start
  else if (operator === 'Tr') modes.mode = read()
  else if (operator === 'BT') modes.isCutting = false
  else if (operator === 'ET')
    return modes.isCutting && modes.mode < CUTTING ? 'letters that are cut to before others of their text' : undefined
  else if (modes.mode >= CUTTING) modes.isCutting = true
  return undefined
}
