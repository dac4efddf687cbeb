import type { PdfRef } from '@libpdf/core'
import type { FieldFont, FieldLine, FieldPen } from './field-font.ts'
import { drawLine, type Ink } from '../text/ink.ts'
import { shapeLine, type ShapedLine } from '../text/shape-line.ts'
import { joinRuns, orderRuns, readParagraph } from '../text/split-runs.ts'
import { setLine, wrapText } from '../text/wrap-lines.ts'

/** What sets texts that no font of the form can: our own faces, shaped. */
export interface OwnFaces {
  ink: Ink
  fonts: PdfRef
}

export function makeOwnFont({ ink, fonts }: OwnFaces, { size, colour }: FieldPen): FieldFont {
  const toLine = (line: ShapedLine): FieldLine => ({
    width: line.width,
    isRightToLeft: line.isRightToLeft,
    draw: (x, y, points) => `${colour}\n${drawLine(ink, line, x, y, points)}`,
  })
  return {
    fonts,
    size,
    set: (text) => toLine(setLine(text, 'text')),
    wrap: (text, limit) => wrapText(text, 'text', 1000, limit).map(toLine),
    divide: (text) => shapeCells(text).map(toLine),
  }
}

/** What a reader takes for one character, each by itself, in the order in which they are seen. */
function shapeCells(text: string): ShapedLine[] {
  const { clusters, isRightToLeft } = readParagraph(text, 'text')
  const seen = orderRuns(joinRuns(clusters)).flatMap((run) =>
    run.level % 2 === 1 ? run.clusters.toReversed() : run.clusters,
  )
  return seen.map((cluster) => shapeLine({ clusters: [cluster], isRightToLeft }))
}
