import { setLine, wrapText } from '../text/wrap-lines.ts'
import type { ShapedLine } from '../text/shape-line.ts'
import { type Canvas, drawLines, drawRule } from './canvas.ts'
import { COLOURS } from './colours.ts'
import { CONTENT_BOTTOM, LABEL, MARGIN, VALUE, WIDTH } from './sheet.ts'
import { WORDS } from './words.ts'

/** About ten pages. Only a text made of line breaks is longer; the page then says where the rest is. */
const MAX_LINES = 520
const HEAD_HEIGHT = 5 + LABEL.leading
const FOOT_HEIGHT = 10
/** A shorter piece is not begun at the foot of a page. */
const MIN_LINES = 2

/** The lines that stand on one page. */
export interface DescriptionPart {
  lines: ShapedLine[]
  isContinued: boolean
}

export function wrapDescription(description: string): ShapedLine[] {
  const text = description.trim()
  if (text === '') return []
  const lines = wrapText(text, 'text', VALUE.size, WIDTH)
  if (lines.length <= MAX_LINES) return lines
  return [...lines.slice(0, MAX_LINES), setLine(WORDS.restInManifest, 'strong')]
}

/**
 * Divides the lines among pages.
 * @param top Where the first part would begin. @param nextTop Where it begins on every further page.
 * @returns a part for each page, the first of which is empty when nothing fits there; and where the last one ends.
 */
export function divideDescription(
  lines: readonly ShapedLine[],
  top: number,
  nextTop: number,
): { parts: DescriptionPart[]; end: number } {
  const parts: DescriptionPart[] = []
  let rest = lines
  let at = top
  do {
    if (parts.length > 0) at = nextTop
    const room = Math.floor((CONTENT_BOTTOM - at - HEAD_HEIGHT - FOOT_HEIGHT) / VALUE.leading)
    const count = rest.length <= room ? rest.length : room < MIN_LINES ? 0 : room
    parts.push({ lines: rest.slice(0, count), isContinued: rest !== lines })
    rest = rest.slice(count)
  } while (rest.length > 0)
  const last = parts.at(-1)!
  return { parts, end: last.lines.length === 0 ? at : at + measurePart(last) }
}

/** @param isFirst On the first page. The head of any other ends with a line of its own. */
export function drawDescription(canvas: Canvas, part: DescriptionPart, top: number, isFirst: boolean): void {
  if (part.lines.length === 0) return
  if (isFirst) drawRule(canvas, MARGIN, top, WIDTH, COLOURS.line)
  const words = part.isContinued ? `${WORDS.description}, ${WORDS.continued}` : WORDS.description
  drawLines(canvas, [setLine(words, 'strong')], { x: MARGIN, top: top + 5, width: WIDTH, ...LABEL }, COLOURS.ink2)
  drawLines(canvas, part.lines, { x: MARGIN, top: top + HEAD_HEIGHT, width: WIDTH, ...VALUE }, COLOURS.ink)
}

const measurePart = (part: DescriptionPart): number => HEAD_HEIGHT + part.lines.length * VALUE.leading + FOOT_HEIGHT
