import { isShowing } from '../drawing/follow-letters.ts'
import type { Chosen } from './follow-colours.ts'
import { OPAQUE, type Opacity } from '../drawing/read-opacity.ts'

/** How opaque what is drawn is, and whether through a mask, as far as readers paint that differently. */
export interface Opacities {
  now: Opacity
  saved: Opacity[]
  start: Opacity
}

/** What is drawn, and with what. */
export interface Painted {
  /** In which letters are shown. */
  mode: number
  colours: Chosen
  isGlyph: boolean
}

/** Less than that is the same shade to who looks at it. */
const ALIKE = 0.05
const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'Do'])
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const OPERATORS = new Set(['q', 'Q', 'gs', 'd0', ...FILLING, ...STROKING])

export const isOpacityOperator = (operator: string): boolean => OPERATORS.has(operator) || isShowing(operator)

/** @param start What is set where content begins. */
export const startOpacities = (start: Opacity = OPAQUE): Opacities => ({ now: start, saved: [], start })

/**
 * @param read What a graphics state sets.
 * @returns what is wrong: some readers draw lines as opaque as areas, or show through a mask what others hide.
 */
export function followOpacity(
  opacities: Opacities,
  operator: string,
  read: () => Partial<Opacity> | undefined,
  { mode, colours, isGlyph }: Painted,
): string | undefined {
  const { now } = opacities
  if (operator === 'q') opacities.saved.push(now)
  else if (operator === 'Q') opacities.now = opacities.saved.pop() ?? opacities.start
  else if (operator === 'gs') opacities.now = { ...now, ...read() }
  // the reviewer's reader draws them opaque
  else if (operator === 'd0') return isOpaque(now) ? undefined : 'translucent letters with colours of their own'
  else {
    const isText = isShowing(operator)
    const isFilled = isText ? !isOutline(mode) : FILLING.has(operator)
    const isStroked = isText ? hasOutline(mode) : STROKING.has(operator)
    const isOtherwise = Math.abs(now.fill - now.stroke) > ALIKE
    // the reviewer's reader, or all others, draw these lines as opaque as areas
    if (isStroked && isOtherwise && (isText || isGlyph || colours.stroke?.isTile === true))
      return 'lines that are not as opaque as areas'
    // PDFium shows nothing of them
    if (now.isMasked && ((isFilled && colours.fill?.isTile === true) || (isStroked && colours.stroke?.isTile === true)))
      return 'tiles behind a mask'
  }
  return undefined
}

const isOpaque = ({ fill, stroke }: Opacity): boolean => Math.min(fill, stroke) > 1 - ALIKE
/** Of modes of text (ISO 32000-2 table 104). */
const hasOutline = (mode: number): boolean => mode % 4 === 1 || mode % 4 === 2
const isOutline = (mode: number): boolean => mode % 4 === 1
