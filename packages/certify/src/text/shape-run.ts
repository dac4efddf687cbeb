import { Buffer as ShapingBuffer, Direction, Feature, shape } from 'harfbuzzjs'
import { shareText } from './share-text.ts'
import type { TextRun } from './text-run.ts'
import type { Typeface } from './typefaces.ts'

/** Glyph 0, which has neither outline nor width where it is embedded: it carries characters that have no glyph left. */
export const BLANK = 0

/**
 * A typeface for codes draws some neighbours as one figure, `-~` as a single squiggle. Where it stands, every character is
 * read and typed off by itself.
 */
const ONE_BY_ONE = ['liga', 'clig', 'calt', 'dlig', 'rlig'].map((tag) => new Feature(tag, 0))

/** A glyph in its place; distances in thousandths of the text size, from the left end of the line. */
export interface PlacedGlyph {
  face: Typeface
  glyph: number
  x: number
  y: number
  /**
   * The characters that a reader takes out for it, in the order in which glyphs are seen: from right to left they are
   * reversed, since readers reverse the whole run. '' for glyphs that are drawn but not read, such as marks.
   */
  text: string
}

interface RawGlyph {
  glyph: number
  cluster: number
  advance: number
  x: number
  y: number
}

/** Adds the run's glyphs from left to right, beginning at `startX`. @returns its width. */
export function shapeRun(run: TextRun, startX: number, glyphs: PlacedGlyph[]): number {
  let x = startX
  for (const { members, text } of groupGlyphs(run)) {
    const shares = shareText(text, members, run.level % 2 === 1)
    for (const { member, text: share } of shares) {
      // what has no glyph left is carried by blanks after the glyphs, without a width
      if (member === undefined) glyphs.push({ face: run.face, glyph: BLANK, x, y: 0, text: share })
      else {
        glyphs.push({ face: run.face, glyph: member.glyph, x: x + member.x, y: member.y, text: share })
        x += member.advance
      }
    }
  }
  return x - startX
}

/** Width of each cluster in the run; clusters that share a glyph have it counted with the first of them. */
export function measureRun(run: TextRun): number[] {
  const widths = run.clusters.map(() => 0)
  const starts = listStarts(run)
  for (const { cluster, advance } of shapeText(run.face, joinShaped(run), run.level % 2 === 1)) {
    widths[findStart(starts, cluster)]! += advance
  }
  return widths
}

/** How many glyphs that take room the text has in the face; a missing one makes it endless. */
export function countInk(face: Typeface, text: string): number {
  const shaped = shapeText(face, text, false)
  if (shaped.some(({ glyph }) => glyph === 0)) return Number.POSITIVE_INFINITY
  return shaped.filter(({ advance }) => advance > 0).length
}

/** From left to right: the glyphs that belong together, with all characters they stand for in logical order. */
function groupGlyphs(run: TextRun): { members: RawGlyph[]; text: string }[] {
  const isRightToLeft = run.level % 2 === 1
  const starts = listStarts(run)
  const members = new Map<number, RawGlyph[]>()
  for (const glyph of shapeText(run.face, joinShaped(run), isRightToLeft)) {
    const at = findStart(starts, glyph.cluster)
    const known = members.get(at)
    if (known === undefined) members.set(at, [glyph])
    else known.push(glyph)
  }
  const heads = [...members.keys()].sort((a, b) => a - b)
  const groups = heads.map((head, i) => ({
    members: members.get(head)!,
    // clusters before the first head have no glyph at all: their characters go with it
    text: run.clusters
      .slice(i === 0 ? 0 : head, heads[i + 1] ?? run.clusters.length)
      .map((cluster) => cluster.text)
      .join(''),
  }))
  return isRightToLeft ? groups.toReversed() : groups
}

const joinShaped = (run: TextRun): string => run.clusters.map((cluster) => cluster.shaped).join('')

/** Where each cluster begins in what is shaped. */
function listStarts(run: TextRun): number[] {
  let at = 0
  return run.clusters.map((cluster) => {
    const start = at
    at += cluster.shaped.length
    return start
  })
}

/** The last cluster that begins at or before the offset. */
function findStart(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle
  }
  return low
}

function shapeText(face: Typeface, text: string, isRightToLeft: boolean): RawGlyph[] {
  const buffer = new ShapingBuffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR)
  shape(face.font, buffer, face.name.startsWith('mono') ? ONE_BY_ONE : [])
  const positions = buffer.getGlyphPositions()
  const scale = 1000 / face.unitsPerEm
  return buffer.getGlyphInfos().map(({ codepoint, cluster }, i) => {
    const { xAdvance, xOffset, yOffset } = positions[i]!
    return { glyph: codepoint, cluster, advance: xAdvance * scale, x: xOffset * scale, y: yOffset * scale }
  })
}
