import { findBreaks } from './break-lines.ts'
import { hasOther } from './choose-typeface.ts'
import { shapeLine, type ShapedLine } from './shape-line.ts'
import { measureRun } from './shape-run.ts'
import { joinRuns, type Paragraph, readParagraph } from './split-runs.ts'
import type { Cluster } from './text-run.ts'
import type { TextStyle } from './typefaces.ts'

/** Labels and page numbers come again and again; a line is never changed after it was shaped. */
const remembered = new Map<string, ShapedLine>()
const MAX_REMEMBERED = 2000

/** One line, however wide. */
export function setLine(text: string, style: TextStyle): ShapedLine {
  const key = `${style} ${text}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const line = shapeLine(readParagraph(text.replaceAll(/\s*[\r\n]+\s*/g, ' '), style))
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  // other lines would keep slices, or look as they did when a slice was not open
  if (text.length <= 100 && !hasOther(text)) remembered.set(key, line)
  return line
}

/** The certificate's own words, and names that come again; lines are never changed. */
const wrapped = new Map<string, ShapedLine[]>()
const MAX_WRAPPED = 500

/**
 * Breaks the text into lines no wider than `width`. Breaks in the text stay; a word longer than a line is broken anywhere.
 * @param width In points.
 * @param size Text size in points.
 */
export function wrapText(text: string, style: TextStyle, size: number, width: number): ShapedLine[] {
  const limit = (width / size) * 1000
  if (text.length > 200 || hasOther(text)) return wrapLines(text, style, limit)
  const key = `${style} ${limit} ${text}`
  let lines = wrapped.get(key)
  if (lines === undefined) {
    lines = wrapLines(text, style, limit)
    if (wrapped.size >= MAX_WRAPPED) wrapped.clear()
    wrapped.set(key, lines)
  }
  return lines
}

function wrapLines(text: string, style: TextStyle, limit: number): ShapedLine[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => wrapParagraph(readParagraph(line, style), limit))
}

/** The first `maxLines` lines; what does not fit ends in an ellipsis. */
export function clampText(text: string, style: TextStyle, size: number, width: number, maxLines: number): ShapedLine[] {
  const lines = wrapText(text, style, size, width)
  if (lines.length <= maxLines) return lines
  const kept = lines.slice(0, maxLines - 1)
  let last = [...lines[maxLines - 1]!.text.trimEnd()]
  let line = setLine(`${last.join('')}…`, style)
  while (line.width * size > width * 1000 && last.length > 1) {
    last = last.slice(0, -1)
    line = setLine(`${last.join('')}…`, style)
  }
  return [...kept, line]
}

function wrapParagraph(paragraph: Paragraph, limit: number): ShapedLine[] {
  const { clusters, isRightToLeft } = paragraph
  const lines: ShapedLine[] = []
  const widths = joinRuns(clusters).flatMap(measureRun)
  const breaks = findBreaks(clusters)
  let start = 0
  let nextBreak = 0
  while (start < clusters.length) {
    let end = start
    let width = 0
    let lastBreak = start
    while (breaks[nextBreak]! <= start) nextBreak += 1
    let ahead = nextBreak
    // a space may hang over the end of the line
    while (end < clusters.length && (width + widths[end]! <= limit || isSpace(clusters[end]!))) {
      width += widths[end]!
      end += 1
      if (breaks[ahead] === end) {
        lastBreak = end
        ahead += 1
      }
    }
    if (lastBreak > start) end = lastBreak
    end = Math.max(end, start + 1)
    let line = shapeLine({ clusters: trimSpaces(clusters.slice(start, end)), isRightToLeft })
    // letters may be wider at the end of a line than they were inside a word
    while (line.width > limit && end > start + 1) {
      end -= 1
      line = shapeLine({ clusters: trimSpaces(clusters.slice(start, end)), isRightToLeft })
    }
    lines.push(line)
    start = end
  }
  return lines.length > 0 ? lines : [shapeLine({ clusters: [], isRightToLeft })]
}

const isSpace = (cluster: Cluster): boolean => /^\s+$/u.test(cluster.text)

function trimSpaces(clusters: readonly Cluster[]): Cluster[] {
  let end = clusters.length
  while (end > 0 && isSpace(clusters[end - 1]!)) end--
  return clusters.slice(0, end)
}
