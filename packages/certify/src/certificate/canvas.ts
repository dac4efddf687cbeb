import { formatPoints } from '../pdf/format-points.ts'
import { drawLine, type Ink } from '../text/ink.ts'
import type { ShapedLine } from '../text/shape-line.ts'
import { type Colour, fillColour, strokeColour } from './colours.ts'

/** A4 in points. */
export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89

/** One certificate page while it is drawn. Callers measure from the top; the content stream from the bottom. */
export interface Canvas {
  ink: Ink
  operators: string[]
}

/** Distance of circle control points: a quarter circle as a Bézier curve. */
const ARC = 0.5523

export function fillRect(canvas: Canvas, x: number, top: number, width: number, height: number, colour: Colour): void {
  const corner = `${formatPoints(x)} ${formatPoints(PAGE_HEIGHT - top - height)}`
  canvas.operators.push(`${fillColour(colour)}\n${corner} ${formatPoints(width)} ${formatPoints(height)} re f\n`)
}

/** A rectangle with round corners, filled and outlined. */
export function drawPanel(
  canvas: Canvas,
  box: { x: number; top: number; width: number; height: number; radius: number },
  fill: Colour,
  line?: Colour,
): void {
  const { x, width, height, radius } = box
  const y = PAGE_HEIGHT - box.top - height
  const bend = radius * (1 - ARC)
  const point = (dx: number, dy: number): string => `${formatPoints(x + dx)} ${formatPoints(y + dy)}`
  const path = [
    `${point(radius, 0)} m ${point(width - radius, 0)} l`,
    `${point(width - bend, 0)} ${point(width, bend)} ${point(width, radius)} c ${point(width, height - radius)} l`,
    `${point(width, height - bend)} ${point(width - bend, height)} ${point(width - radius, height)} c`,
    `${point(radius, height)} l ${point(bend, height)} ${point(0, height - bend)} ${point(0, height - radius)} c`,
    `${point(0, radius)} l ${point(0, bend)} ${point(bend, 0)} ${point(radius, 0)} c h`,
  ].join('\n')
  const pen = line === undefined ? '' : `${strokeColour(line)} 0.75 w\n`
  canvas.operators.push(`${fillColour(fill)}\n${pen}${path} ${line === undefined ? 'f' : 'B'}\n`)
}

export function drawRule(canvas: Canvas, x: number, top: number, width: number, colour: Colour, pen = 0.75): void {
  const y = formatPoints(PAGE_HEIGHT - top)
  canvas.operators.push(
    `${strokeColour(colour)} ${formatPoints(pen)} w ${formatPoints(x)} ${y} m ${formatPoints(x + width)} ${y} l S\n`,
  )
}

/** Draws lines below each other; right-to-left ones end at the right edge. @returns the height taken. */
export function drawLines(
  canvas: Canvas,
  lines: readonly ShapedLine[],
  place: { x: number; top: number; width: number; size: number; leading: number; align?: 'start' | 'end' | 'middle' },
  colour: Colour,
): number {
  canvas.operators.push(`${fillColour(colour)}\n`)
  for (const [i, line] of lines.entries()) {
    const free = place.width - (line.width * place.size) / 1000
    const isEnd = (place.align === 'end') !== line.isRightToLeft
    const shift = place.align === 'middle' ? free / 2 : isEnd ? free : 0
    // the baseline sits so that capitals stand in the middle of the line's height
    const baseline = place.top + i * place.leading + place.leading / 2 + place.size * 0.35
    canvas.operators.push(drawLine(canvas.ink, line, place.x + shift, PAGE_HEIGHT - baseline, place.size))
  }
  return lines.length * place.leading
}
