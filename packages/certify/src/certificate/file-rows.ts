import type { ShapedLine } from '../text/shape-line.ts'
import { clampText, setLine, wrapText } from '../text/wrap-lines.ts'
import type { CertifiedSource } from '../types.ts'
import { type Canvas, drawLines, drawRule } from './canvas.ts'
import { COLOURS } from './colours.ts'
import { formatSize } from './format-values.ts'
import { MARGIN, TABLE_COLUMNS, WIDTH } from './sheet.ts'
import { WORDS } from './words.ts'

const PADDING = 6
const MAX_TITLE_LINES = 3
const MAX_NAME_LINES = 10
const TITLE = { size: 9, leading: 12.5 }
const NAME = { size: 7.8, leading: 10.5 }
const HASH = { size: 6.6, leading: 10 }
const NOTE = { size: 7.2, leading: 10 }

/** One original in the table, measured but not yet placed. */
export interface FileRow {
  original: CertifiedSource
  title: ShapedLine[]
  fileName: ShapedLine[]
  notes: ShapedLine[]
  height: number
}

export function measureFileRow(original: CertifiedSource): FileRow {
  const { width } = TABLE_COLUMNS.name
  const title = clampText(original.title, 'strong', TITLE.size, width, MAX_TITLE_LINES)
  const fileName = clampText(original.fileName, 'text', NAME.size, width, MAX_NAME_LINES)
  const left = [...original.removed, ...(original.wasSigned ? [WORDS.wasSigned] : [])]
  const said = [
    ...(original.isPictured ? [WORDS.isPictured] : []),
    ...(left.length > 0 ? [`${WORDS.leftOut}: ${left.join(', ')}`] : []),
  ]
  const notes = said.flatMap((note) => wrapText(note, 'text', NOTE.size, width))
  const height =
    2 * PADDING +
    title.length * TITLE.leading +
    fileName.length * NAME.leading +
    HASH.leading +
    notes.length * NOTE.leading
  return { original, title, fileName, notes, height }
}

/** @param number Counted from 1. @param firstPage Where the original begins in the certified PDF, from 1. */
export function drawFileRow(canvas: Canvas, row: FileRow, number: number, firstPage: number, top: number): void {
  const { type, sizeBytes, sha256, pages } = row.original
  const cell = (column: { x: number; width: number; align: 'start' | 'end' }, text: string): void => {
    const place = { x: column.x, width: column.width, align: column.align, top: top + PADDING, ...TITLE, size: 8.4 }
    drawLines(canvas, [setLine(text, 'text')], place, COLOURS.ink)
  }
  cell(TABLE_COLUMNS.number, String(number))
  cell(TABLE_COLUMNS.type, type)
  cell(TABLE_COLUMNS.size, formatSize(sizeBytes))
  cell(TABLE_COLUMNS.pages, String(pages))
  cell(TABLE_COLUMNS.range, WORDS.pageSpan(firstPage, firstPage + pages - 1))
  const { x, width } = TABLE_COLUMNS.name
  let at = top + PADDING
  at += drawLines(canvas, row.title, { x, width, top: at, ...TITLE }, COLOURS.ink)
  at += drawLines(canvas, row.fileName, { x, width, top: at, ...NAME }, COLOURS.ink2)
  at += drawLines(canvas, [setLine(sha256, 'mono')], { x, width: WIDTH, top: at, ...HASH }, COLOURS.ink2)
  drawLines(canvas, row.notes, { x, width, top: at, ...NOTE }, COLOURS.seal)
  drawRule(canvas, MARGIN, top + row.height, WIDTH, COLOURS.line, 0.6)
}

/** The table's head. @returns its height. */
export function drawTableHead(canvas: Canvas, top: number): number {
  const head = (column: { x: number; width: number; align: 'start' | 'end' }, text: string): void => {
    const place = { ...column, top, size: 7.2, leading: TABLE_HEAD_HEIGHT - 3 }
    drawLines(canvas, [setLine(text, 'strong')], place, COLOURS.ink2)
  }
  head(TABLE_COLUMNS.number, WORDS.number)
  head(TABLE_COLUMNS.name, `${WORDS.fileName}, ${WORDS.sha256}`)
  head(TABLE_COLUMNS.type, WORDS.type)
  head(TABLE_COLUMNS.size, WORDS.size)
  head(TABLE_COLUMNS.pages, WORDS.pages)
  head(TABLE_COLUMNS.range, WORDS.pageRange)
  drawRule(canvas, MARGIN, top + TABLE_HEAD_HEIGHT, WIDTH, COLOURS.lineStrong, 0.75)
  return TABLE_HEAD_HEIGHT
}

export const TABLE_HEAD_HEIGHT = 20
