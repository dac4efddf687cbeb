import { ROSETTE_PEN } from '@proofdesk/proof/rosette'
import type { CertifiedOriginal } from './manifest.ts'
import type { Ink } from '../text/ink.ts'
import { setLine } from '../text/wrap-lines.ts'
import type { CertificateFields, CertifiedSource } from '../types.ts'
import { type Canvas, drawLines, drawRule, PAGE_HEIGHT } from './canvas.ts'
import { COLOURS } from './colours.ts'
import { divideDescription, drawDescription, wrapDescription } from './draw-description.ts'
import { drawFront, drawPaper } from './draw-front.ts'
import { placeFigure } from './draw-rings.ts'
import { drawFileRow, drawTableHead, type FileRow, measureFileRow, TABLE_HEAD_HEIGHT } from './file-rows.ts'
import { CONTENT_BOTTOM, MARGIN, WIDTH } from './sheet.ts'
import { WORDS } from './words.ts'

const SECTION_HEIGHT = 34

export interface Certificate {
  /** Content streams of the certificate pages, without their stamps. */
  pages: string[]
  /** The originals with the page on which each begins. */
  originals: CertifiedOriginal[]
}

/**
 * Draws the certificate: a first page with the proof and its fields, the description, and the table of files; the last two
 * flow on to as many pages as they need. The files' pages follow the certificate, so their numbers are known once its
 * length is.
 */
export function drawCertificate(ink: Ink, fields: CertificateFields, copied: readonly CertifiedSource[]): Certificate {
  const front: Canvas = { ink, operators: [] }
  const start = drawFront(front, fields)
  const description = divideDescription(wrapDescription(fields.description), start, CONTINUATION_TOP)
  const before = description.parts.length - 1
  const tables = paginate(copied.map(measureFileRow), description.end + SECTION_HEIGHT + TABLE_HEAD_HEIGHT)
  const originals = numberPages(copied, before + tables.length)
  const canvases = Array.from({ length: before + tables.length }, (_, i) =>
    i === 0 ? front : startContinuation(ink, fields),
  )
  for (const [i, part] of description.parts.entries()) {
    drawDescription(canvases[i]!, part, i === 0 ? start : CONTINUATION_TOP, i === 0)
  }
  const totalPages = copied.reduce((sum, original) => sum + original.pages, 0)
  let number = 0
  for (const [i, rows] of tables.entries()) {
    if (rows.length === 0) continue
    const canvas = canvases[before + i]!
    let top = i === 0 ? description.end : CONTINUATION_TOP
    top += drawSection(canvas, number === 0 ? WORDS.summary(copied.length, totalPages) : WORDS.continued, top)
    top += drawTableHead(canvas, top)
    for (const row of rows) {
      const original = originals[number]!
      number += 1
      drawFileRow(canvas, row, number, original.firstPage, top)
      top += row.height
    }
  }
  return { pages: canvases.map((canvas) => canvas.operators.join('')), originals }
}

const CONTINUATION_TOP = 96

/** Rows of each page; the first page may have none when other things need all its room. */
function paginate(rows: readonly FileRow[], firstTop: number): FileRow[][] {
  const sheets: FileRow[][] = [[]]
  let top = firstTop
  for (const row of rows) {
    if (top + row.height > CONTENT_BOTTOM) {
      sheets.push([])
      top = CONTINUATION_TOP + SECTION_HEIGHT + TABLE_HEAD_HEIGHT
    }
    sheets.at(-1)!.push(row)
    top += row.height
  }
  return sheets
}

function numberPages(copied: readonly CertifiedSource[], certificatePages: number): CertifiedOriginal[] {
  let next = certificatePages + 1
  return copied.map((original) => {
    const firstPage = next
    next += original.pages
    return { ...original, firstPage }
  })
}

function drawSection(canvas: Canvas, note: string, top: number): number {
  const heading = setLine(WORDS.files, 'heading')
  drawLines(canvas, [heading], { x: MARGIN, top: top + 6, width: WIDTH, size: 13, leading: 20 }, COLOURS.ink)
  const x = MARGIN + (heading.width * 13) / 1000 + 8
  drawLines(canvas, [setLine(note, 'text')], { x, top: top + 7, width: WIDTH, size: 8.6, leading: 20 }, COLOURS.ink2)
  return SECTION_HEIGHT - 4
}

/** Paper, rosette, heading and Proof ID of the second and later certificate pages. */
function startContinuation(ink: Ink, fields: CertificateFields): Canvas {
  const canvas: Canvas = { ink, operators: [] }
  drawPaper(canvas, 170)
  const size = 38
  const pen = (ROSETTE_PEN.large * size) / 100
  canvas.operators.push(placeFigure(MARGIN, PAGE_HEIGHT - 44 - size, size, COLOURS.seal, pen))
  const x = MARGIN + size + 12
  const heading = [setLine(WORDS.certificate, 'heading')]
  drawLines(canvas, heading, { x, top: 44, width: WIDTH, size: 14, leading: 20 }, COLOURS.ink)
  const id = [setLine(fields.proofId, 'monoStrong')]
  drawLines(canvas, id, { x, top: 65, width: WIDTH, size: 9.5, leading: 14 }, COLOURS.ink2)
  drawRule(canvas, MARGIN, 92, WIDTH, COLOURS.line)
  return canvas
}
