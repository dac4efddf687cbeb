import { encode } from 'uqr'
import { formatPoints } from '../pdf/format-points.ts'
import { type Canvas, fillRect, PAGE_HEIGHT } from './canvas.ts'
import { COLOURS, fillColour } from './colours.ts'

/** Light modules around the code (ISO/IEC 18004 section 9.1). */
const QUIET_MODULES = 4

/** Draws the text as a QR code of vector squares, its quiet zone included in `size`. */
export function drawQr(canvas: Canvas, text: string, x: number, top: number, size: number): void {
  const { data } = encode(text, { ecc: 'M', border: 0 })
  const side = size / (data.length + 2 * QUIET_MODULES)
  fillRect(canvas, x, top, size, size, COLOURS.white)
  let operators = `${fillColour(COLOURS.ink)}\n`
  for (const [row, modules] of data.entries()) {
    const y = PAGE_HEIGHT - top - (row + 1 + QUIET_MODULES) * side
    for (let column = 0; column < modules.length; column++) {
      if (!modules[column]) continue
      // neighbours are drawn as one bar, so that no viewer shows hairlines between them
      let end = column + 1
      while (modules[end]) end++
      const left = x + (column + QUIET_MODULES) * side
      operators += `${formatPoints(left)} ${formatPoints(y)} ${formatPoints((end - column) * side)} ${formatPoints(side)} re\n`
      column = end
    }
  }
  canvas.operators.push(`${operators}f\n`)
}
