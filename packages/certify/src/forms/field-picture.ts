import { PdfDict } from '@libpdf/core'
import { isList, readFieldFont } from './choose-font.ts'
import type { FieldFont, FieldLine } from './field-font.ts'
import { canEncode, WIN_ANSI } from './font-encoding.ts'
import { FLAGS, type FormField, type Resolve } from './form-field.ts'
import type { OwnFaces } from './own-font.ts'
import { formatPoints } from '../pdf/format-points.ts'

/** Sizes in points, the rest in shares of the size. The smallest can be read by whoever looks closer on a screen. */
const SMALLEST = 1
const USUAL = 12
/** Of sizes that are tried. */
const FINEST = 0.25
const LINE_HEIGHT = 1.15
/** Of lines, in the count of those that are seen. */
const ROUNDING = 1e-6
const ASCENT = 0.8
/** From the middle of a line down to its baseline. */
const HALF_CAPITAL = 0.4
/** A text that fits the field's height has this share of it. */
const SHARE_OF_HEIGHT = 0.68
const CHOSEN = '0.6 0.75 0.86 rg'

export interface FieldPicture {
  content: string
  resources: PdfDict
}

/** Draws a field as its entries describe it (ISO 32000-2 section 12.7.4). @returns undefined when there is nothing to see. */
export function drawField(field: FormField, resolve: Resolve, takeOwnFaces: () => OwnFaces): FieldPicture | undefined {
  const isTurned = field.rotation % 180 !== 0
  const box = isTurned ? { width: field.height, height: field.width } : { width: field.width, height: field.height }
  const font = readFieldFont(field, resolve, takeOwnFaces)
  const frame = drawFrame(field, box)
  const words = drawWords(field, font, box)
  if (frame === '' && words === '') return undefined
  return { content: `${frame}${words}`, resources: PdfDict.of({ Font: font.fonts }) }
}

interface Box {
  width: number
  height: number
}

function drawFrame({ background, borderColour, borderWidth }: FormField, { width, height }: Box): string {
  const fill = setColour(background, ['g', 'rg', 'k'])
  const line = setColour(borderColour, ['G', 'RG', 'K'])
  const filled = fill === '' ? '' : `q ${fill} 0 0 ${points(width)} ${points(height)} re f Q\n`
  if (line === '' || borderWidth <= 0) return filled
  const inner = [borderWidth / 2, borderWidth / 2, width - borderWidth, height - borderWidth].map(points).join(' ')
  return `${filled}q ${line} ${points(borderWidth)} w ${inner} re S Q\n`
}

function setColour(parts: number[], operators: [string, string, string]): string {
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[parts.length]
  return operator === undefined ? '' : `${parts.map(points).join(' ')} ${operator}`
}

function drawWords(field: FormField, font: FieldFont, box: Box): string {
  const inset = 2 * Math.max(1, field.borderWidth)
  const content = chooseWords(field, font, box, inset)
  if (content === '') return ''
  const clip = [
    field.borderWidth,
    field.borderWidth,
    box.width - 2 * field.borderWidth,
    box.height - 2 * field.borderWidth,
  ]
  return `/Tx BMC\nq ${clip.map(points).join(' ')} re W n\n${content}Q\nEMC\n`
}

function chooseWords(field: FormField, font: FieldFont, box: Box, inset: number): string {
  if (field.kind === 'check' || field.kind === 'radio') return field.isOn ? drawMark(field, font, box) : ''
  if (isList(field)) return drawList(field, font, box, inset)
  if (field.text === '') return ''
  if (field.kind === 'text' && (field.flags & FLAGS.multiline) !== 0) return drawParagraph(field, font, box, inset)
  const cells = field.kind === 'text' && (field.flags & FLAGS.comb) !== 0 ? (field.mostCharacters ?? 0) : 0
  const divided = cells > 0 ? font.divide(field.text) : []
  // more than there are cells for would be cut off
  if (divided.length > 0 && divided.length <= cells) return drawComb(field, font, box, divided, cells)
  const line = font.set(field.text.replaceAll(/[\r\n]+/g, ' '))
  const size = fitWidth(font.size > 0 ? font.size : box.height * SHARE_OF_HEIGHT, line.width, box.width - 2 * inset)
  const alignment = field.kind === 'push' ? 1 : field.alignment
  return placeLine(line, size, box, inset, alignment, box.height / 2 - HALF_CAPITAL * size)
}

/** A value is set smaller where it would be cut off: on paper nobody scrolls. */
function fitWidth(size: number, width: number, room: number): number {
  return Math.min(size, Math.max(SMALLEST, (1000 * room) / Math.max(1, width)))
}

/** What runs from right to left begins at the right, where the field does not say otherwise. */
function placeLine(line: FieldLine, size: number, box: Box, inset: number, alignment: number, y: number): string {
  const spare = box.width - (line.width * size) / 1000
  const isRight = alignment === 2 || (alignment === 0 && line.isRightToLeft)
  const x = alignment === 1 ? spare / 2 : isRight ? spare - inset : inset
  return line.width === 0 ? '' : line.draw(x, y, size)
}

/** One character in the middle of each cell. */
function drawComb(field: FormField, font: FieldFont, box: Box, characters: FieldLine[], cells: number): string {
  const cell = box.width / cells
  const size = font.size > 0 ? font.size : Math.max(SMALLEST, Math.min(box.height * SHARE_OF_HEIGHT, cell))
  const y = box.height / 2 - HALF_CAPITAL * size
  const empty = cells - characters.length
  const isRight = field.alignment === 2 || (field.alignment === 0 && characters.some((one) => one.isRightToLeft))
  const first = isRight ? empty : field.alignment === 1 ? Math.floor(empty / 2) : 0
  return characters.map((one, i) => one.draw((first + i + 0.5) * cell - (one.width * size) / 2000, y, size)).join('')
}

function drawParagraph(field: FormField, font: FieldFont, box: Box, inset: number): string {
  const { size, lines } = fitParagraph(field.text, font, box, inset)
  const top = box.height - inset - ASCENT * size
  const baselines = lines.map((line, i) => ({ line, y: top - i * size * LINE_HEIGHT }))
  // what is below the field is not seen
  const seen = baselines.filter(({ y }) => y > -size)
  return seen.map(({ line, y }) => placeLine(line, size, box, inset, field.alignment, y)).join('')
}

/** The largest size, up to the one that the field names, at which all lines are seen. */
function fitParagraph(text: string, font: FieldFont, box: Box, inset: number): { size: number; lines: FieldLine[] } {
  const wrap = (size: number): FieldLine[] => font.wrap(text, (1000 * (box.width - 2 * inset)) / size)
  const isSeen = (lines: readonly FieldLine[], size: number): boolean =>
    inset + size * (1 + (lines.length - 1) * LINE_HEIGHT) <= box.height
  let best = { size: SMALLEST, lines: [] as FieldLine[] }
  let high = font.size > 0 ? font.size : USUAL
  let low = Math.min(SMALLEST, high - 2 * FINEST)
  for (let size = high; high - low > FINEST; size = (low + high) / 2) {
    const lines = wrap(size)
    if (isSeen(lines, size)) {
      best = { size, lines }
      low = size
    } else high = size
  }
  return best.lines.length > 0 ? best : { size: SMALLEST, lines: wrap(SMALLEST) }
}

function drawList(field: FormField, font: FieldFont, box: Box, inset: number): string {
  const lines = field.options.map(({ text }) => font.set(text))
  const widest = Math.max(1, ...lines.map(({ width }) => width))
  const chosen = field.options.flatMap(({ isChosen }, i) => (isChosen ? [i] : []))
  // all that was chosen is seen at once
  const span = chosen.length === 0 ? 1 : chosen.at(-1)! - chosen[0]! + 1
  const usual = fitWidth(font.size > 0 ? font.size : USUAL, widest, box.width - 2 * inset)
  const size = Math.max(SMALLEST, Math.min(usual, box.height / (span * LINE_HEIGHT)))
  const step = size * LINE_HEIGHT
  const first = chooseFirst(field.firstLine, chosen, Math.max(1, Math.floor(box.height / step + ROUNDING)))
  const shown = field.options.slice(first, first + Math.ceil(box.height / step))
  const bars = shown.map(({ isChosen }, i) =>
    isChosen
      ? `q ${CHOSEN} 0 ${points(box.height - inset / 2 - (i + 1) * step)} ${points(box.width)} ${points(step)} re f Q\n`
      : '',
  )
  const top = box.height - inset / 2 - ASCENT * size
  const words = shown.map((_, i) => placeLine(lines[first + i]!, size, box, inset, field.alignment, top - i * step))
  return `${bars.join('')}${words.join('')}`
}

/** The line that the field names as its first, unless what was chosen would be out of sight. */
function chooseFirst(firstLine: number, chosen: readonly number[], visible: number): number {
  const first = Math.max(0, Math.trunc(firstLine))
  if (chosen.every((i) => i >= first && i < first + visible)) return first
  return Math.max(0, Math.min(chosen[0]!, chosen.at(-1)! - visible + 1))
}

/** The character of ZapfDingbats that the field names, a tick or a dot otherwise. */
function drawMark(field: FormField, font: FieldFont, box: Box): string {
  const isNamed = field.text.length === 1 && canEncode([field.text], WIN_ANSI)
  const mark = isNamed ? field.text : field.kind === 'radio' ? 'l' : '3'
  const size = font.size > 0 ? font.size : Math.max(SMALLEST, 0.8 * Math.min(box.width, box.height))
  return placeLine(font.set(mark), size, box, 0, 1, box.height / 2 - 0.36 * size)
}

const points = (value: number): string => formatPoints(value)
