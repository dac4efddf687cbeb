import type { PdfStream } from '@libpdf/core'
import type { Paint } from '../drawing/read-paint.ts'
import { readOperators } from '../layers/content-operators.ts'

interface Chosen {
  mask?: PdfStream | undefined
  fill?: PdfStream | undefined
  stroke?: PdfStream | undefined
}

const AREAS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'BI'])
const LINES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
/** They may have both. */
const LETTERS = new Set(['Tj', 'TJ', "'", '"'])
/** Painted without a colour that was chosen before. */
const OTHERS = new Set(['Do', 'sh'])
const FILL_COLOURS = new Set(['g', 'rg', 'k', 'cs', 'sc'])
const STROKE_COLOURS = new Set(['G', 'RG', 'K', 'CS', 'SC'])

/**
 * Masks and tiles that content paints with, as often as some reader draws them: PDFium draws a mask for each thing that is painted
 * behind it, the reviewer's reader for each state that sets it, and a tile for each area.
 */
export function* listPaintedWith(content: Uint8Array, { masks, tiles }: Paint): Generator<PdfStream> {
  if (masks.size === 0 && tiles.size === 0) return
  const saved: Chosen[] = []
  let now: Chosen = {}
  for (const { name, operands } of readOperators(content)) {
    const named = (): string => operands.findLast(({ kind }) => kind === 'name')?.text ?? ''
    if (name === 'q') saved.push(now)
    else if (name === 'Q') now = saved.pop() ?? now
    else if (name === 'gs') {
      if (!masks.has(named())) continue
      now = { ...now, mask: masks.get(named()) }
      if (now.mask) yield now.mask
    } else if (name === 'scn' || FILL_COLOURS.has(name)) now = { ...now, fill: tiles.get(named()) }
    else if (name === 'SCN' || STROKE_COLOURS.has(name)) now = { ...now, stroke: tiles.get(named()) }
    else {
      const [isArea, isLine] = LETTERS.has(name) ? [true, true] : [AREAS.has(name), LINES.has(name)]
      if (now.mask && (isArea || isLine || OTHERS.has(name))) yield now.mask
      if (now.fill && isArea) yield now.fill
      if (now.stroke && isLine) yield now.stroke
    }
  }
}
