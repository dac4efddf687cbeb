import { keepReadable } from './keep-readable.ts'
import { type PlacedGlyph, shapeRun } from './shape-run.ts'
import { joinRuns, orderRuns, type Paragraph } from './split-runs.ts'
import type { TextRun } from './text-run.ts'

export interface ShapedLine {
  /** Logical order, as typed. */
  text: string
  /** Stretches of one face and direction in logical order; the glyphs of each from left to right. */
  runs: PlacedGlyph[][]
  /** Thousandths of the text size. */
  width: number
  isRightToLeft: boolean
}

/** Shapes what stands on one line. */
export function shapeLine(paragraph: Pick<Paragraph, 'clusters' | 'isRightToLeft'>): ShapedLine {
  const logical = joinRuns(paragraph.clusters)
  const glyphs = new Map<TextRun, PlacedGlyph[]>(logical.map((run) => [run, []]))
  let x = 0
  for (const run of orderRuns(logical)) x += shapeRun(run, x, glyphs.get(run)!)
  const line = logical.map((run) => ({ run, glyphs: glyphs.get(run)! }))
  const isPlain = logical.every((run) => run.level % 2 === 0)
  return {
    text: paragraph.clusters.map((cluster) => cluster.text).join(''),
    runs: isPlain ? line.map((part) => part.glyphs) : keepReadable(line),
    width: x,
    isRightToLeft: paragraph.isRightToLeft,
  }
}
