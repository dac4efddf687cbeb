import { formatPoints } from '../pdf/format-points.ts'

/**
 * Operators that stroke closed lines with the current pen.
 * @param rings In a box of 100 by 100 with y downwards.
 * @param x Left edge of the figure, in points.
 * @param y Its lower edge, in points.
 * @param size Its width and height, in points.
 */
export function drawRings(rings: readonly { x: number; y: number }[][], x: number, y: number, size: number): string {
  const scale = size / 100
  const place = (point: { x: number; y: number }): string =>
    `${formatPoints(x + point.x * scale)} ${formatPoints(y + (100 - point.y) * scale)}`
  let operators = ''
  for (const ring of rings) {
    for (const [i, point] of ring.entries()) operators += `${place(point)} ${i === 0 ? 'm' : 'l'}\n`
    operators += 's\n'
  }
  return operators
}
