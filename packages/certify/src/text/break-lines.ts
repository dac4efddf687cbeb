import type { Cluster } from './text-run.ts'

/** A line may be broken after these, if nothing better is at hand: they stand in file names and addresses. */
const BREAK_AFTER = /[\s\u200b\-\u2010\u2013\u2014/\\_.,;:&=?#@+|]$/u
/** Written without spaces, so a line may end after any of them. */
const EASTERN = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\u3000-\u303f\uff00-\uff60]/u
/** May not begin a line: closing marks, small kana, marks of length and repetition. */
const NOT_FIRST =
  /^[\p{Pe}\p{Pf}、。，．・：；？！!?,.:;ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ…‥゛゜％]/u
/** May not end one: opening marks. */
const NOT_LAST = /^[\p{Ps}\p{Pi}￥＄]/u
const THAI = /\p{sc=Thai}/u

/** Written without spaces too, but broken only between words. */
let thaiWords: Intl.Segmenter | undefined

/** Parts that should not be torn, each with the space or hyphen after it. @returns where each ends. */
export function findBreaks(clusters: readonly Cluster[]): number[] {
  const wordEnds = findThaiWords(clusters)
  const ends: number[] = []
  for (let i = 1; i < clusters.length; i++) {
    const before = clusters[i - 1]!.text
    const after = clusters[i]!.text
    if (/^\s/u.test(after)) continue
    const isAllowed = BREAK_AFTER.test(before) || wordEnds.has(i) || EASTERN.test(before) || EASTERN.test(after)
    const isForbidden = !/\s$/u.test(before) && (NOT_FIRST.test(after) || NOT_LAST.test(before))
    // between two Latin parts, as in `a/(b)`, the older rule holds: anything may follow a slash or a dot
    if (isAllowed && !(isForbidden && (EASTERN.test(before) || EASTERN.test(after)))) ends.push(i)
  }
  ends.push(clusters.length)
  return ends
}

function findThaiWords(clusters: readonly Cluster[]): Set<number> {
  const ends = new Set<number>()
  if (!clusters.some((cluster) => THAI.test(cluster.text))) return ends
  thaiWords ??= new Intl.Segmenter('th', { granularity: 'word' })
  const at = new Map<number, number>()
  let offset = 0
  for (const [i, cluster] of clusters.entries()) {
    at.set(offset, i)
    offset += cluster.text.length
  }
  for (const { index, segment } of thaiWords.segment(clusters.map((cluster) => cluster.text).join(''))) {
    const cluster = at.get(index)
    if (cluster !== undefined && THAI.test(segment)) ends.add(cluster)
  }
  return ends
}
