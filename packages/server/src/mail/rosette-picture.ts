import { drawRosette, type Rosette } from '@proofdesk/proof/rosette'
import { encodePng, SHADES, type Colour } from './png.ts'

/** Three and two times as many pixels as the mail shows, for fine screens. */
const MARK_PX = 90
const FIGURE_PX = 192

/**
 * The look's blue and, for proofs, its vermilion, lightened until they stand out on light and on dark paper alike: the
 * same picture is shown on both, and on whatever a mail program makes of them.
 */
const BRAND = { red: 0x63, green: 0x7b, blue: 0xcc }
const SEAL = { red: 0xcf, green: 0x5f, blue: 0x40 }

/** In units of the box, 100 across. A little bolder than on screen, since the colours are paler. */
const MARK_PEN = 4
const FIGURE_PEN = 0.75

const SHORTEST_LINE_PX = 0.5

let mark: Buffer | undefined

/** The product's mark, the same figure as on its screens, as PNG with a transparent ground. */
export function drawMark(): Buffer {
  mark ??= drawPicture(drawRosette('Proofdesk', 'small'), MARK_PX, MARK_PEN, BRAND)
  return mark
}

/** The figure of one proof as PNG. @param proofId In its printed form, as everywhere the figure is drawn. */
export function drawProofFigure(proofId: string): Buffer {
  return drawPicture(drawRosette(proofId, 'large'), FIGURE_PX, FIGURE_PEN, SEAL)
}

function drawPicture({ rings }: Rosette, size: number, pen: number, colour: Colour): Buffer {
  const scale = size / 100
  const sheet = { shades: new Uint8Array(size * size), size, brush: makeBrush(pen * scale) }
  for (const ring of rings) {
    const [first] = ring
    if (!first) continue
    const [startX, startY] = [first.x * scale, first.y * scale]
    let [fromX, fromY] = [startX, startY]
    for (let at = 1; at <= ring.length; at++) {
      const point = ring[at]
      const [toX, toY] = point ? [point.x * scale, point.y * scale] : [startX, startY]
      // Points lie closer than pixels.
      if (point && (toX - fromX) ** 2 + (toY - fromY) ** 2 < SHORTEST_LINE_PX ** 2) continue
      drawLine(sheet, fromX, fromY, toX, toY)
      fromX = toX
      fromY = toY
    }
  }
  return encodePng(sheet.shades, size, colour)
}

interface Sheet {
  /** One a pixel, row by row. */
  shades: Uint8Array
  /** Pixels in a row. */
  size: number
  brush: Brush
}

interface Brush {
  /** From the middle of a line to where it colours nothing any more, pixels. */
  reach: number
  /** For each shade, up to which square of that distance a pixel has it; -1 for those darker than the pen. */
  squares: Float64Array
}

/** A pixel is covered by how much of it lies within half a pen of the line; a pen thinner than a pixel colours it less than whole. */
function makeBrush(pen: number): Brush {
  const reach = pen / 2 + 0.5
  const darkest = Math.round(Math.min(1, pen) * (SHADES - 1))
  const squares = Float64Array.from({ length: SHADES + 1 }, (_, shade) =>
    // Rounded to the nearest shade.
    shade > 0 && shade <= darkest ? (reach - (shade - 0.5) / (SHADES - 1)) ** 2 : -1,
  )
  return { reach, squares }
}

/**
 * What is covered more stays so. Ten thousand of these make a figure, and each approval's mail has one: nothing is allocated
 * for a pixel, and no root is drawn.
 */
function drawLine({ shades, size, brush }: Sheet, fromX: number, fromY: number, toX: number, toY: number): void {
  const { reach, squares } = brush
  const dx = toX - fromX
  const dy = toY - fromY
  const length = dx * dx + dy * dy
  const perLength = length === 0 ? 0 : 1 / length
  // Pixels whose middle is near enough.
  const left = Math.max(0, Math.ceil(Math.min(fromX, toX) - reach - 0.5))
  const right = Math.min(size - 1, Math.floor(Math.max(fromX, toX) + reach - 0.5))
  const top = Math.max(0, Math.ceil(Math.min(fromY, toY) - reach - 0.5))
  const bottom = Math.min(size - 1, Math.floor(Math.max(fromY, toY) + reach - 0.5))
  const lightest = squares[1]!
  for (let y = top; y <= bottom; y++) {
    const py = y + 0.5 - fromY
    for (let x = left, at = y * size + left; x <= right; x++, at++) {
      // From the middle of the pixel to the nearest point of the line.
      const px = x + 0.5 - fromX
      const along = (px * dx + py * dy) * perLength
      const near = along > 0 ? (along < 1 ? along : 1) : 0
      const offX = px - near * dx
      const offY = py - near * dy
      const square = offX * offX + offY * offY
      if (square > lightest) continue
      let shade = shades[at]!
      if (square > squares[shade + 1]!) continue
      while (square <= squares[shade + 1]!) shade++
      shades[at] = shade
    }
  }
}
