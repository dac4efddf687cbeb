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
  for (const ring of rings)
    for (const [at, point] of ring.entries())
      drawLine(
        ink,
        size,
        scalePoint(point, scale),
        scalePoint(ring[(at + 1) % ring.length] ?? point, scale),
        pen * scale,
      )
  const shades = Uint8Array.from(ink, (coverage) => Math.round(coverage * (SHADES - 1)))
  return encodePng(shades, size, colour)
}

function scalePoint({ x, y }: RosettePoint, scale: number): RosettePoint {
  return { x: x * scale, y: y * scale }
}

/** Covers each pixel by how much of it lies within half a pen of the line; what is covered more stays so. */
function drawLine(ink: Float32Array, size: number, from: RosettePoint, to: RosettePoint, pen: number): void {
  const reach = pen / 2 + 1
  const [left, right] = [Math.min(from.x, to.x) - reach, Math.max(from.x, to.x) + reach].map(Math.round)
  const [top, bottom] = [Math.min(from.y, to.y) - reach, Math.max(from.y, to.y) + reach].map(Math.round)
  for (let y = Math.max(0, top ?? 0); y <= Math.min(size - 1, bottom ?? 0); y++)
    for (let x = Math.max(0, left ?? 0); x <= Math.min(size - 1, right ?? 0); x++) {
      const distance = measureDistance({ x: x + 0.5, y: y + 0.5 }, from, to)
      // A pen thinner than a pixel colours it less than whole.
      const coverage = Math.min(1, pen, Math.max(0, pen / 2 + 0.5 - distance))
      const at = y * size + x
      if (coverage > (ink[at] ?? 0)) ink[at] = coverage
    }
}

/** From a point to the nearest point of a line between two others. */
function measureDistance(point: RosettePoint, from: RosettePoint, to: RosettePoint): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length
  const bounded = Math.min(1, Math.max(0, along))
  return Math.hypot(point.x - from.x - bounded * dx, point.y - from.y - bounded * dy)
}
