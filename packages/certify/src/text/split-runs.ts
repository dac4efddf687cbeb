import bidiFactory from 'bidi-js'
import { FALLBACK, loadTypeface, type TextStyle, type Typeface, type TypefaceName } from './typefaces.ts'

// the package's types describe a module that it does not ship: what is imported is the factory itself
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Stands for characters that no face has; the original stays in the text that can be copied out. */
const UNKNOWN = '\ufffd'

/** Joiners, direction marks and variation selectors need no glyph of their own. */
const NEEDS_NO_GLYPH = /[\p{Default_Ignorable_Code_Point}]/u

/** A stretch of one face and one direction, in logical order. */
export interface TextRun {
  face: Typeface
  /** Embedding level of UAX #9: odd is right to left. */
  level: number
  /** What is shaped; differs from the text in characters that no face has. */
  shaped: string
}

export interface Paragraph {
  /** As it can be copied out of the PDF. */
  text: string
  /** As it is set: unknown characters replaced, otherwise the same length per grapheme is not promised. */
  clusters: { text: string; shaped: string; face: TypefaceName; level: number }[]
  isRightToLeft: boolean
}

/**
 * Prepares one paragraph (no line breaks in it): control characters become spaces, every grapheme gets a face and a
 * direction.
 */
export function readParagraph(input: string, style: TextStyle): Paragraph {
  const text = input
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto')
  const clusters: Paragraph['clusters'] = []
  let previous: TypefaceName | undefined
  for (const { segment, index } of graphemes.segment(text)) {
    const face = chooseTypeface(segment, style, previous)
    clusters.push({
      text: segment,
      shaped: face === undefined ? UNKNOWN : segment,
      face: face ?? FALLBACK[style][1],
      level: levels[index] ?? 0,
    })
    previous = face ?? previous
  }
  return { text, clusters, isRightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1 }
}

/** Neighbours of one face and level joined; in logical order. */
export function joinRuns(clusters: Paragraph['clusters']): TextRun[] {
  const runs: TextRun[] = []
  for (const cluster of clusters) {
    const last = runs.at(-1)
    if (last !== undefined && last.face.name === cluster.face && last.level === cluster.level) {
      last.shaped += cluster.shaped
    } else runs.push({ face: loadTypeface(cluster.face), level: cluster.level, shaped: cluster.shaped })
  }
  return runs
}

/** Reverses what runs from right to left (UAX #9 rule L2). @returns the runs from left to right as seen. */
export function orderRuns(runs: readonly TextRun[]): TextRun[] {
  const visual = [...runs]
  const highest = Math.max(0, ...runs.map((run) => run.level))
  for (let level = highest; level > 0; level--) {
    let start = -1
    for (let i = 0; i <= visual.length; i++) {
      const isInside = i < visual.length && visual[i]!.level >= level
      if (isInside && start < 0) start = i
      if (!isInside && start >= 0) {
        visual.splice(start, i - start, ...visual.slice(start, i).toReversed())
        start = -1
      }
    }
  }
  return visual
}

/** A space or mark stays in the face of what stands before it, so words are not torn; undefined when no face has it. */
function chooseTypeface(
  grapheme: string,
  style: TextStyle,
  previous: TypefaceName | undefined,
): TypefaceName | undefined {
  const order = FALLBACK[style]
  if (previous !== undefined && /^[\s\p{M}]+$/u.test(grapheme) && hasAll(previous, grapheme)) return previous
  return order.find((name) => hasAll(name, grapheme))
}

function hasAll(name: TypefaceName, grapheme: string): boolean {
  const { characters } = loadTypeface(name)
  for (const character of grapheme) {
    if (!characters.has(character.codePointAt(0)!) && !NEEDS_NO_GLYPH.test(character)) return false
  }
  return true
}
