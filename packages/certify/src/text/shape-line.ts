import { Buffer as ShapingBuffer, Direction, shape } from 'harfbuzzjs'
import { joinRuns, orderRuns, type Paragraph, type TextRun } from './split-runs.ts'
import type { Typeface } from './typefaces.ts'

/** A glyph in its place; distances in thousandths of the text size, from the left end of the line. */
export interface PlacedGlyph {
  face: Typeface
  glyph: number
  x: number
  y: number
  /** The characters it stands for; '' when an earlier glyph of the same cluster has them. */
  text: string
}

export interface ShapedLine {
  /** Logical order, for copying out. */
  text: string
  glyphs: PlacedGlyph[]
  /** Thousandths of the text size. */
  width: number
  isRightToLeft: boolean
}

/** Shapes what stands on one line. */
export function shapeLine(paragraph: Pick<Paragraph, 'clusters' | 'isRightToLeft'>): ShapedLine {
  const glyphs: PlacedGlyph[] = []
  let x = 0
  for (const run of orderRuns(joinRuns(paragraph.clusters))) x += shapeRun(run, x, glyphs)
  return {
    text: paragraph.clusters.map((cluster) => cluster.text).join(''),
    glyphs,
    width: x,
    isRightToLeft: paragraph.isRightToLeft,
  }
}

/** Adds the run's glyphs from left to right. @returns its width. */
function shapeRun(run: TextRun, startX: number, glyphs: PlacedGlyph[]): number {
  const buffer = new ShapingBuffer()
  buffer.addText(run.shaped)
  buffer.guessSegmentProperties()
  buffer.setDirection(run.level % 2 === 1 ? Direction.RTL : Direction.LTR)
  shape(run.face.font, buffer)
  const infos = buffer.getGlyphInfos()
  const positions = buffer.getGlyphPositions()
  const scale = 1000 / run.face.unitsPerEm
  const starts = [...new Set(infos.map((info) => info.cluster))].sort((a, b) => a - b)
  const ends = new Map(starts.map((start, i) => [start, starts[i + 1] ?? run.shaped.length]))
  const told = new Set<number>()
  let x = startX
  for (const [i, info] of infos.entries()) {
    const position = positions[i]!
    const text = told.has(info.cluster) ? '' : run.shaped.slice(info.cluster, ends.get(info.cluster))
    told.add(info.cluster)
    glyphs.push({
      face: run.face,
      glyph: info.codepoint,
      x: x + position.xOffset * scale,
      y: position.yOffset * scale,
      text,
    })
    x += position.xAdvance * scale
  }
  return x - startX
}
