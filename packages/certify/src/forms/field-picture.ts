import { PdfDict } from '@libpdf/core'
import { type FieldFont, type OwnFaces, readFieldFont } from './field-font.ts'
import { FLAGS, type FormField, type Resolve } from './form-field.ts'
import { formatPoints } from '../pdf/format-points.ts'

/** Sizes in points, the rest in shares of the size. */
const SMALLEST = 4
const USUAL = 12
const LINE_HEIGHT = 1.15
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
  if (field.kind === 'choice' && (field.flags & FLAGS.combo) === 0) return drawList(field, font, box, inset)
  if (field.text === '') return ''
  if (field.kind === 'text' && (field.flags & FLAGS.multiline) !== 0) return drawParagraph(field, font, box, inset)
  if (field.kind === 'text' && (field.flags & FLAGS.comb) !== 0 && field.mostCharacters !== undefined) {
    return drawComb(field, font, box, field.mostCharacters)
  }
  const isSecret = field.kind === 'text' && (field.flags & FLAGS.password) !== 0
  const text = isSecret ? '*'.repeat(field.text.length) : field.text.replaceAll(/[\r\n]+/g, ' ')
  const fitting = Math.min(
    box.height * SHARE_OF_HEIGHT,
    (1000 * (box.width - 2 * inset)) / Math.max(1, font.measure(text)),
  )
  const size = font.size > 0 ? font.size : Math.max(SMALLEST, fitting)
  const alignment = field.kind === 'push' ? 1 : field.alignment
  return drawLineOf(text, font, size, box, inset, alignment, box.height / 2 - HALF_CAPITAL * size)
}

function drawLineOf(
  text: string,
  font: FieldFont,
  size: number,
  box: Box,
  inset: number,
  alignment: number,
  y: number,
): string {
  const spare = box.width - (font.measure(text) * size) / 1000
  const x = alignment === 1 ? spare / 2 : alignment === 2 ? spare - inset : inset
  return text === '' ? '' : font.draw(text, x, y, size)
}

/** One character in the middle of each cell. */
function drawComb(field: FormField, font: FieldFont, box: Box, cells: number): string {
  const cell = box.width / Math.max(1, cells)
  const size = font.size > 0 ? font.size : Math.max(SMALLEST, Math.min(box.height * SHARE_OF_HEIGHT, cell))
  const y = box.height / 2 - HALF_CAPITAL * size
  const characters = [...field.text.normalize('NFC')].slice(0, cells)
  const empty = cells - characters.length
  const first = field.alignment === 2 ? empty : field.alignment === 1 ? Math.floor(empty / 2) : 0
  return characters
    .map((one, i) => font.draw(one, (first + i + 0.5) * cell - (font.measure(one) * size) / 2000, y, size))
    .join('')
}

function drawParagraph(field: FormField, font: FieldFont, box: Box, inset: number): string {
  const room = box.width - 2 * inset
  let size = font.size > 0 ? font.size : USUAL
  let lines = wrapText(field.text, font, size, room)
  while (font.size <= 0 && size > SMALLEST && lines.length * size * LINE_HEIGHT > box.height - 2 * inset) {
    size -= 0.5
    lines = wrapText(field.text, font, size, room)
  }
  const top = box.height - inset - ASCENT * size
  return lines
    .map((line, i) => drawLineOf(line, font, size, box, inset, field.alignment, top - i * size * LINE_HEIGHT))
    .join('')
}

function wrapText(text: string, font: FieldFont, size: number, room: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && (font.measure(longer) * size) / 1000 > room) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}

function drawList(field: FormField, font: FieldFont, box: Box, inset: number): string {
  const size = font.size > 0 ? font.size : USUAL
  const step = size * LINE_HEIGHT
  const shown = field.options.slice(field.firstLine, field.firstLine + Math.ceil(box.height / step))
  const bars = shown.map(({ isChosen }, i) =>
    isChosen
      ? `q ${CHOSEN} 0 ${points(box.height - inset / 2 - (i + 1) * step)} ${points(box.width)} ${points(step)} re f Q\n`
      : '',
  )
  const top = box.height - inset / 2 - ASCENT * size
  const lines = shown.map(({ text }, i) => drawLineOf(text, font, size, box, inset, field.alignment, top - i * step))
  return `${bars.join('')}${lines.join('')}`
}

/** The character of ZapfDingbats that the field names, a tick or a dot otherwise. */
function drawMark(field: FormField, font: FieldFont, box: Box): string {
  const mark = field.text.length === 1 ? field.text : field.kind === 'radio' ? 'l' : '3'
  const size = font.size > 0 ? font.size : Math.max(SMALLEST, 0.8 * Math.min(box.width, box.height))
  return drawLineOf(mark, font, size, box, 0, 1, box.height / 2 - 0.36 * size)
}

const points = (value: number): string => formatPoints(value)
