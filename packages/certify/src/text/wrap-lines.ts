import { shapeLine, type ShapedLine } from './shape-line.ts'
import { type Paragraph, readParagraph } from './split-runs.ts'
import type { TextStyle } from './typefaces.ts'

/** A line may be broken after these, if nothing better is at hand: they stand in file names and addresses. */
const BREAK_AFTER = /[\s\-\u2010\u2013\u2014/\\_.,;:&=?#@+|\u3000-\u9fff\uac00-\ud7af]$/u

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
  if (text.length <= 100) remembered.set(key, line)
  return line
}

/**
 * Breaks the text into lines no wider than `width`. Breaks in the text stay; a word longer than a line is broken anywhere.
 * @param width In points.
 * @param size Text size in points.
 */
export function wrapText(text: string, style: TextStyle, size: number, width: number): ShapedLine[] {
  const limit = (width / size) * 1000
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
  const { isRightToLeft } = paragraph
  const lines: ShapedLine[] = []
  let line: Paragraph['clusters'] = []
  let lineWidth = 0
  const finish = (): void => {
    lines.push(shapeLine({ clusters: trimSpaces(line), isRightToLeft }))
    line = []
    lineWidth = 0
  }
  for (const word of splitWords(paragraph.clusters)) {
    const fullWidth = shapeLine({ clusters: word, isRightToLeft }).width
    // the space after a word may hang over the end of the line
    const isTight = lineWidth + fullWidth > limit
    const width = isTight ? shapeLine({ clusters: trimSpaces(word), isRightToLeft }).width : fullWidth
    if (line.length > 0 && lineWidth + width > limit) finish()
    if (width <= limit) {
      line.push(...word)
      lineWidth += fullWidth
      continue
    }
    for (const cluster of word) {
      const clusterWidth = shapeLine({ clusters: [cluster], isRightToLeft }).width
      if (line.length > 0 && lineWidth + clusterWidth > limit) finish()
      line.push(cluster)
      lineWidth += clusterWidth
    }
  }
  if (line.length > 0 || lines.length === 0) finish()
  return lines
}

/** Words with the space or hyphen after them. */
function splitWords(clusters: Paragraph['clusters']): Paragraph['clusters'][] {
  const words: Paragraph['clusters'][] = []
  let word: Paragraph['clusters'] = []
  for (const [i, cluster] of clusters.entries()) {
    word.push(cluster)
    const next = clusters[i + 1]
    if (BREAK_AFTER.test(cluster.text) && next !== undefined && !/^\s/u.test(next.text)) {
      words.push(word)
      word = []
    }
  }
  if (word.length > 0) words.push(word)
  return words
}

function trimSpaces(clusters: Paragraph['clusters']): Paragraph['clusters'] {
  let end = clusters.length
  while (end > 0 && /^\s+$/u.test(clusters[end - 1]!.text)) end--
  return clusters.slice(0, end)
}
