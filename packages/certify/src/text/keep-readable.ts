import { BLANK, type PlacedGlyph } from './shape-run.ts'
import type { TextRun } from './text-run.ts'

const IS_RIGHT_TO_LEFT = /[\p{sc=Hebr}\p{sc=Arab}]/u
/** RIGHT-TO-LEFT MARK. */
const MARK = '\u200f'

/** A run as it is drawn: which end of its glyphs comes last in logical order. */
interface ReadableRun {
  glyphs: PlacedGlyph[]
  end: 'first' | 'last'
}

/**
 * Arranges the glyphs of a line that has right-to-left runs for readers. Such a line is drawn run by run in logical order;
 * the pen jumps between them.
 * @param line The runs in logical order, the glyphs of each from left to right.
 */
export function keepReadable(line: readonly { run: TextRun; glyphs: PlacedGlyph[] }[]): PlacedGlyph[][] {
  const readable: ReadableRun[] = []
  for (const { run, glyphs } of line) {
    const before = readable.at(-1)
    // PDF.js forgets spaces at which the pen jumps, so a neighbour carries them
    if (before !== undefined && glyphs.every(isSpace)) addSpace(before, glyphs.map((glyph) => glyph.text).join(''))
    else readable.push(arrangeRun(run, bindSpaces(glyphs)))
  }
  return readable.map(({ glyphs }) => glyphs)
}

function arrangeRun(run: TextRun, glyphs: PlacedGlyph[]): ReadableRun {
  if (run.level % 2 === 0) return { glyphs, end: 'last' }
  const text = glyphs.map((glyph) => glyph.text).join('')
  // without a letter readers do not turn the run around: it is drawn glyph by glyph as it was typed
  if (!IS_RIGHT_TO_LEFT.test(text)) return { glyphs: glyphs.toReversed().map(turnText), end: 'last' }
  const first = glyphs.find((glyph) => glyph.text !== '')!
  if (IS_RIGHT_TO_LEFT.test([...first.text][0]!)) return { glyphs, end: 'first' }
  // pdftotext takes what stands before the first letter for the end of the left-to-right text before it
  return { glyphs: [{ ...first, glyph: BLANK, y: 0, text: MARK }, ...glyphs], end: 'first' }
}

function addSpace({ glyphs, end }: ReadableRun, space: string): void {
  const at = end === 'last' ? glyphs.findLastIndex(isRead) : glyphs.findIndex((one) => isRead(one) && one.text !== MARK)
  const glyph = glyphs[at]
  if (glyph === undefined) return
  glyphs[at] = { ...glyph, text: end === 'last' ? glyph.text + space : space + glyph.text }
}

/** Spaces at the ends of the run go to the letters beside them. */
function bindSpaces(glyphs: readonly PlacedGlyph[]): PlacedGlyph[] {
  const first = glyphs.findIndex((glyph) => !isSpace(glyph))
  if (first < 0) return [...glyphs]
  const last = glyphs.findLastIndex((glyph) => !isSpace(glyph))
  const bound = glyphs.slice(first, last + 1)
  const join = (spaces: readonly PlacedGlyph[]): string => spaces.map((glyph) => glyph.text).join('')
  const left = bound.findIndex(isRead)
  const right = bound.findLastIndex(isRead)
  if (left < 0) return [...glyphs]
  bound[left] = { ...bound[left]!, text: join(glyphs.slice(0, first)) + bound[left]!.text }
  bound[right] = { ...bound[right]!, text: bound[right]!.text + join(glyphs.slice(last + 1)) }
  return bound
}

const isRead = (glyph: PlacedGlyph): boolean => glyph.text !== ''
const isSpace = (glyph: PlacedGlyph): boolean => /^\s+$/u.test(glyph.text)
const turnText = (glyph: PlacedGlyph): PlacedGlyph => ({ ...glyph, text: [...glyph.text].toReversed().join('') })
