import bidiFactory from 'bidi-js'
import { chooseTypeface, splitGraphemes } from './choose-typeface.ts'
import type { Cluster, TextRun } from './text-run.ts'
import { FALLBACK, loadTypeface, type TextStyle } from './typefaces.ts'

// the package's types describe a module that it does not ship: what is imported is the factory itself
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/** Stands for characters that no face has; the original stays in the text that can be copied out. */
const UNKNOWN = '\ufffd'
/** Turn letters against their own direction: what they hide is shown as it is, and that they are there. */
const OVERRIDES = /^[\u202d\u202e]$/
/** Embeddings and their ends have no effect either; isolates and marks cannot reach beyond their paragraph and have. */
const NEUTRALISED = /[\u202a-\u202e]/g
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}+$/u
/** More would grow over the lines above and below; a Hebrew letter with all its points has as many. */
const MAX_MARKS = 5

export interface Paragraph {
  clusters: Cluster[]
  isRightToLeft: boolean
}

/**
 * Prepares one paragraph (no line breaks in it): control characters become spaces, every grapheme gets a face and a
 * direction.
 */
export function readParagraph(input: string, style: TextStyle): Paragraph {
  const text = input.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  // a character without direction takes the place of a neutralised one, so that offsets stay
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text.replaceAll(NEUTRALISED, '\u200b'), 'auto')
  const clusters: Cluster[] = []
  let pending = ''
  for (const { segment, index, han } of splitGraphemes(text)) {
    if (INVISIBLE.test(segment) && !OVERRIDES.test(segment)) {
      const before = clusters.at(-1)
      if (before === undefined) pending += segment
      else before.text += segment
      continue
    }
    const shaped = limitMarks(segment.normalize('NFC'))
    const choice = OVERRIDES.test(segment) ? undefined : chooseTypeface(shaped, style, clusters.at(-1)?.face, han)
    clusters.push({
      text: pending + segment,
      shaped: choice?.shaped ?? UNKNOWN,
      face: choice?.face ?? loadTypeface(FALLBACK[style][1]),
      level: levels[index] ?? 0,
    })
    pending = ''
  }
  return { clusters, isRightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1 }
}

/** Whether the text has a character that would be drawn as one that is not known. */
export function lacksFaces(text: string, style: TextStyle): boolean {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  return lines.some((line) =>
    readParagraph(line, style).clusters.some((cluster) => cluster.shaped === UNKNOWN && cluster.text !== UNKNOWN),
  )
}

/** Neighbours of one face and level joined; in logical order. */
export function joinRuns(clusters: readonly Cluster[]): TextRun[] {
  const runs: TextRun[] = []
  for (const cluster of clusters) {
    const last = runs.at(-1)
    if (last !== undefined && last.face === cluster.face && last.level === cluster.level) last.clusters.push(cluster)
    else runs.push({ face: cluster.face, level: cluster.level, clusters: [cluster] })
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

function limitMarks(grapheme: string): string {
  if (grapheme.length <= MAX_MARKS) return grapheme
  let marks = 0
  return [...grapheme].filter((character) => !/^\p{M}$/u.test(character) || ++marks <= MAX_MARKS).join('')
}
