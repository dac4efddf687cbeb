import type { Paint } from '../drawing/read-paint.ts'

/** What is known of the content of a letter that is drawn by operators, or of a form in it. */
export interface DrawnLetter {
  /** Its width was said, by itself or with a box. */
  isWide: boolean
  /** States that are saved. */
  depth: number
}

const INHERENT_SPACES = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern', 'G', 'RGB', 'CMYK'])

export const startDrawnLetter = (): DrawnLetter => ({ isWide: false, depth: 0 })

/**
 * At a name that is not there the reviewer's reader leaves out the whole letter, though on a page it goes on, as others do everywhere.
 * @param read The last name among the operands.
 * @returns what is wrong.
 */
export function followDrawnLetter(
  letter: DrawnLetter,
  operator: string,
  operands: string,
  read: () => string,
  paint: Paint,
): string | undefined {
  if (operator === 'q') letter.depth++
  else if (operator === 'Q' && --letter.depth < 0) return 'a state of what stands around a drawn letter'
  else if (operator === 'd0' && letter.isWide) return 'the width of a glyph twice'
  else if (operator === 'd0' || operator === 'd1') letter.isWide = true
  // Poppler shows the letters of a font within themselves, the reviewer's reader does not
  else if (operator === 'Tf' && paint.drawnFonts.has(read())) return 'drawn letters within drawn letters'
  // PDFium puts it elsewhere
  else if (/^scn$/i.test(operator) && operands.endsWith('N') && !paint.tiles.has(read()))
    return 'a gradient in a drawn letter'
  return isLost(operator, operands, read, paint) ? 'a name in a drawn letter that is not there' : undefined
}

function isLost(operator: string, operands: string, read: () => string, paint: Paint): boolean {
  if (operator === 'Do') return ![paint.forms, paint.stencils, paint.images].some((list) => list.has(read()))
  if (operator === 'gs') return !paint.opacities.has(read())
  if (operator === 'sh') return !paint.shadings.has(read())
  if (operator === 'Tf') return paint.fonts?.has(read()) === false
  if (operator === 'cs' || operator === 'CS') return !INHERENT_SPACES.has(read()) && !paint.spaces.has(read())
  return (operator === 'BDC' || operator === 'DP') && operands === 'NN' && !paint.properties.has(read())
}
