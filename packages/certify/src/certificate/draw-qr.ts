import { correction, generate, mode } from 'lean-qr'
import type { CertificateFields } from '../types.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { type Canvas, fillRect, PAGE_HEIGHT } from './canvas.ts'
import { COLOURS, fillColour } from './colours.ts'

/** Light modules around the code (ISO/IEC 18004 section 9.1). */
const QUIET_MODULES = 4

/**
 * Draws a QR code of vector squares, its quiet zone included in `size`. The data is a segment of its own in alphanumeric
 * mode, which takes 5.5 bits a letter where bytes take 8 (ISO/IEC 18004 section 7.4).
 */
export function drawQr(
  canvas: Canvas,
  { address, data }: CertificateFields['code'],
  x: number,
  top: number,
  size: number,
): void {
  const code = generate(mode.multi(mode.ascii(address), mode.alphaNumeric(data)), {
    minCorrectionLevel: correction.M,
    maxCorrectionLevel: correction.M,
  })
  const count = code.size
  const side = size / (count + 2 * QUIET_MODULES)
  fillRect(canvas, x, top, size, size, COLOURS.white)
  // from here on a unit is a module, and rows go down the page
  const [left, high] = [x + QUIET_MODULES * side, PAGE_HEIGHT - top - QUIET_MODULES * side].map(formatPoints)
  let operators = `q ${side.toFixed(6)} 0 0 ${(-side).toFixed(6)} ${left} ${high} cm\n${fillColour(COLOURS.ink)}\n`
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!code.get(column, row)) continue
      // neighbours are drawn as one bar, so that no viewer shows hairlines between them
      let end = column + 1
      while (end < count && code.get(end, row)) end++
      operators += `${column} ${row} ${end - column} 1 re\n`
      column = end
    }
  }
  canvas.operators.push(`${operators}f Q\n`)
}
