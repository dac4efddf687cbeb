import { formatPrintedTime } from '@proofdesk/proof/paper/printed-time'
import { ROSETTE_PEN } from '@proofdesk/proof/rosette'
import { clampText, setLine, wrapText } from '../text/wrap-lines.ts'
import type { CertificateFields } from '../types.ts'
import { type Canvas, drawLines, drawPanel, drawRule, fillRect, PAGE_HEIGHT, PAGE_WIDTH } from './canvas.ts'
import { type Colour, COLOURS } from './colours.ts'
import { drawQr } from './draw-qr.ts'
import { placeFigure } from './draw-rings.ts'
import { LABEL, MARGIN, VALUE, WIDTH } from './sheet.ts'
import { WORDS } from './words.ts'

const TITLE = { size: 17, leading: 23, maxLines: 5 }
/** For titles that would take more than a third of the page. */
const LONG_TITLE = { size: 11, leading: 15, maxLines: 10 }
const COLUMN_GAP = 22
/** 67 mm: at 100 dpi more than three pixels a module of usual codes, which both decoders of the tests need where it is blurred. */
const CODE_SIZE = 190
/** Of the figure, and of the column that it and its note stand in. */
const FIGURE_SIZE = 96
const FIGURE_COLUMN = 116
/** Room for the longest username in wide letters. */
const MAX_VALUE_LINES = 12

/**
 * Paper and the corner art, under everything else.
 * @param size Diameter of the figure, of which a quarter is seen.
 */
export function drawPaper(canvas: Canvas, size: number): void {
  fillRect(canvas, 0, 0, PAGE_WIDTH, PAGE_HEIGHT, COLOURS.paper)
  const corner = placeFigure(PAGE_WIDTH - 0.56 * size, PAGE_HEIGHT - 0.48 * size, size, COLOURS.line, 0.5)
  canvas.operators.push(corner)
}

/** Everything above the description on the first page. @returns where that may begin, from the top. */
export function drawFront(canvas: Canvas, fields: CertificateFields): number {
  drawPaper(canvas, 320)
  let top = drawHead(canvas, fields)
  top += drawProofPanel(canvas, fields, top) + 22
  top += drawFields(canvas, fields, top)
  return top
}

function drawHead(canvas: Canvas, fields: CertificateFields): number {
  const issuer = clampText(fields.organisation, 'strong', 10, WIDTH - 120, 2)
  let top = 44
  // it belongs to the heading below, so it begins where that does in any direction
  const align = issuer[0]!.isRightToLeft ? 'end' : 'start'
  const place = { x: MARGIN, top, width: WIDTH - 120, size: 10, leading: 14, align } as const
  top += drawLines(canvas, issuer, place, COLOURS.brand)
  const heading = [setLine(WORDS.certificate, 'heading')]
  top += drawLines(canvas, heading, { x: MARGIN, top: top + 3, width: WIDTH, size: 25, leading: 34 }, COLOURS.ink) + 3
  if (fields.isTestInstance) top += drawTestMark(canvas, top)
  return top + 12
}

function drawTestMark(canvas: Canvas, top: number): number {
  const label = setLine(WORDS.testInstance, 'strong')
  const note = setLine(WORDS.testInstanceNote, 'text')
  const width = (label.width * 8) / 1000 + 16
  drawPanel(canvas, { x: MARGIN, top: top + 7, width, height: 16, radius: 8 }, COLOURS.warnWash)
  drawLines(canvas, [label], { x: MARGIN, top: top + 7, width, size: 8, leading: 16, align: 'middle' }, COLOURS.warn)
  const place = { x: MARGIN + width + 8, top: top + 7, width: WIDTH, size: 8, leading: 16 }
  drawLines(canvas, [note], place, COLOURS.warn)
  return 25
}

/** Proof ID, rosette and QR code. */
function drawProofPanel(canvas: Canvas, fields: CertificateFields, top: number): number {
  const edge = 9
  const height = CODE_SIZE + 2 * edge
  drawPanel(canvas, { x: MARGIN, top, width: WIDTH, height, radius: 10 }, COLOURS.sheet, COLOURS.line)
  const codeX = MARGIN + WIDTH - CODE_SIZE - edge
  drawQr(canvas, fields.code, codeX, top + edge, CODE_SIZE)
  const x = MARGIN + 16
  const width = codeX - x - 10
  let at = top + 14
  at += drawLines(canvas, [setLine(WORDS.proofId, 'strong')], { x, top: at, width, ...LABEL }, COLOURS.ink2)
  const id = setLine(fields.proofId, 'monoStrong')
  const size = Math.min(17, (width * 1000) / id.width)
  at += drawLines(canvas, [id], { x, top: at, width, size, leading: 26 }, COLOURS.ink) + 4
  drawRule(canvas, x, at, width, COLOURS.line)
  drawFigure(canvas, x, at + 10)
  drawProofWords(canvas, fields, x + FIGURE_COLUMN + 12, at + 10, width - FIGURE_COLUMN - 12)
  return height
}

function drawFigure(canvas: Canvas, x: number, top: number): void {
  const pen = (ROSETTE_PEN.large * FIGURE_SIZE) / 100
  const left = x + (FIGURE_COLUMN - FIGURE_SIZE) / 2
  canvas.operators.push(placeFigure(left, PAGE_HEIGHT - top - FIGURE_SIZE, FIGURE_SIZE, COLOURS.seal, pen))
  const note = wrapText(WORDS.rosetteNote, 'text', 6.6, FIGURE_COLUMN)
  const place = {
    x,
    top: top + FIGURE_SIZE + 6,
    width: FIGURE_COLUMN,
    size: 6.6,
    leading: 8.4,
    align: 'middle',
  } as const
  drawLines(canvas, note, place, COLOURS.ink2)
}

/** How to check it, between the figure and the code. */
function drawProofWords(canvas: Canvas, fields: CertificateFields, x: number, top: number, width: number): void {
  let at = top
  at += drawLines(canvas, [setLine(WORDS.verify, 'strong')], { x, top: at, width, size: 8.6, leading: 13 }, COLOURS.ink)
  const scan = wrapText(WORDS.scan, 'text', 8, width)
  at += drawLines(canvas, scan, { x, top: at, width, size: 8, leading: 11 }, COLOURS.ink2) + 2
  const address = clampText(fields.verifyUrl, 'mono', 7.2, width, 3)
  at += drawLines(canvas, address, { x, top: at, width, size: 7.2, leading: 10.5 }, COLOURS.brand) + 4
  const signed = wrapText(WORDS.signedNote, 'text', 7.2, width)
  drawLines(canvas, signed, { x, top: at, width, size: 7.2, leading: 9.6 }, COLOURS.ink2)
}

interface Field {
  label: string
  value: string
  colour?: Colour
}

function drawFields(canvas: Canvas, fields: CertificateFields, top: number): number {
  let at = top
  at += drawLines(
    canvas,
    [setLine(WORDS.title, 'strong')],
    { x: MARGIN, top: at, width: WIDTH, ...LABEL },
    COLOURS.ink2,
  )
  at += drawTitle(canvas, fields.title, at) + 12
  const submitted = fields.submittedAt === null ? WORDS.notRecorded : formatPrintedTime(fields.submittedAt)
  const expiry = fields.expiresAt === null ? WORDS.noExpiry : formatPrintedTime(fields.expiresAt)
  const rows: Field[][] = [
    [
      { label: WORDS.owner, value: fields.username },
      { label: WORDS.reviewer, value: fields.reviewer },
      { label: WORDS.organisation, value: fields.organisation },
    ],
    [
      { label: WORDS.submitted, value: submitted },
      { label: WORDS.approved, value: formatPrintedTime(fields.approvedAt), colour: COLOURS.ok },
      { label: WORDS.expires, value: expiry },
    ],
  ]
  for (const row of rows) at += drawFieldRow(canvas, row, at)
  return at - top
}

function drawTitle(canvas: Canvas, title: string, top: number): number {
  const large = wrapText(title, 'heading', TITLE.size, WIDTH)
  const { maxLines, ...form } = large.length <= TITLE.maxLines ? TITLE : LONG_TITLE
  const lines = form.size === TITLE.size ? large : clampText(title, 'heading', form.size, WIDTH, maxLines)
  return drawLines(canvas, lines, { x: MARGIN, top, width: WIDTH, ...form }, COLOURS.ink)
}

function drawFieldRow(canvas: Canvas, row: Field[], top: number): number {
  const width = (WIDTH - (row.length - 1) * COLUMN_GAP) / row.length
  let height = 0
  for (const [i, field] of row.entries()) {
    const x = MARGIN + i * (width + COLUMN_GAP)
    const value = clampText(field.value, 'text', VALUE.size, width, MAX_VALUE_LINES)
    drawRule(canvas, x, top, width, COLOURS.line)
    drawLines(canvas, [setLine(field.label, 'strong')], { x, top: top + 5, width, ...LABEL }, COLOURS.ink2)
    const place = { x, top: top + 5 + LABEL.leading, width, ...VALUE }
    height = Math.max(height, drawLines(canvas, value, place, field.colour ?? COLOURS.ink))
  }
  return 5 + LABEL.leading + height + 10
}
