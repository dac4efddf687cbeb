import { drawRosette, type Rosette, type RosettePoint } from '@proofdesk/proof/rosette'
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
  const ink = new Float32Array(size * size)
  const scale = size / 100
  for (const ring of rings) {
    const [first] = ring
    if (!first) continue
    let from = scalePoint(first, scale)
    for (const point of [...ring.slice(1), first]) {
      const to = scalePoint(point, scale)
      // Points lie closer than pixels.
      if (point !== first && (to.x - from.x) ** 2 + (to.y - from.y) ** 2 < SHORTEST_LINE_PX ** 2) continue
      drawLine(ink, size, from, to, pen * scale)
      from = to
    }
  }
  // Not `Uint8Array.from`, which takes a hundred times as long.
  const shades = new Uint8Array(ink.length)
  for (let at = 0; at < ink.length; at++) shades[at] = Math.round(ink[at]! * (SHADES - 1))
  return encodePng(shades, size, colour)
}

function scalePoint({ x, y }: RosettePoint, scale: number): RosettePoint {
  return { x: x * scale, y: y * scale }
}

/**
 * Covers each pixel by how much of it lies within half a pen of the line; what is covered more stays so. Ten thousand of these
 * make a figure, and each approval's mail has one: nothing is allocated for a pixel.
 */
function drawLine(ink: Float32Array, size: number, from: RosettePoint, to: RosettePoint, pen: number): void {
  const reach = pen / 2 + 0.5
  const dx = to.x - from.x
  const dy = to.y - from.y
  const length = dx * dx + dy * dy
  const left = Math.max(0, Math.floor(Math.min(from.x, to.x) - reach))
  const right = Math.min(size - 1, Math.ceil(Math.max(from.x, to.x) + reach))
  const top = Math.max(0, Math.floor(Math.min(from.y, to.y) - reach))
  const bottom = Math.min(size - 1, Math.ceil(Math.max(from.y, to.y) + reach))
  // A pen thinner than a pixel colours it less than whole.
  const most = Math.min(1, pen)
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      // From the middle of the pixel to the nearest point of the line.
      const px = x + 0.5 - from.x
      const py = y + 0.5 - from.y
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length))
      const square = (px - along * dx) ** 2 + (py - along * dy) ** 2
      if (square >= reach * reach) continue
      const coverage = Math.min(most, reach - Math.sqrt(square))
      const at = y * size + x
      if (coverage > ink[at]!) ink[at] = coverage
    }
}
