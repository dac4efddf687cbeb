import type { PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'

/** What content draws by its names, and how often, whatever resources it draws with: forms, masks, tiles and letters. */
export interface Nesting {
  bytes: number
  draws: Map<PdfStream, number>
}

/** PDFium draws forms within forms up to 40 levels, others more. One of them is the page, and readers of the certified PDF count a few more. */
const MOST_LEVELS = 34
/** Content that is read until a page is drawn: more takes readers minutes. */
const MOST_DRAWN_BYTES = 1 << 29
/** Drawing the smallest takes its time, too. */
const LEAST_BYTES = 100

/** Content may be drawn in several ways, by which a name means something else. */
export function noteDraws(
  nestings: Map<PdfStream, Nesting>,
  stream: PdfStream,
  bytes: number,
  drawn: Iterable<PdfStream>,
): void {
  const counts = new Map<PdfStream, number>()
  for (const one of drawn) counts.set(one, (counts.get(one) ?? 0) + 1)
  const known = nestings.get(stream)
  if (known === undefined) nestings.set(stream, { bytes, draws: counts })
  else for (const [one, count] of counts) known.draws.set(one, Math.max(count, known.draws.get(one) ?? 0))
}

/**
 * Forms that content draws within forms: how deep, and how much that is in all when each is drawn as often as it is named. Resources
 * name more than is drawn, and what has none of its own draws with those around it.
 * @throws Refusal `too_slow`; Disagreement where readers stop at different levels.
 */
export function checkNesting(nestings: ReadonlyMap<PdfStream, Nesting>): void {
  const measured = new Map<PdfStream, { levels: number; bytes: number }>()
  const open = new Set<PdfStream>()
  let isTooDeep = false
  const measure = (stream: PdfStream): { levels: number; bytes: number } => {
    const known = measured.get(stream)
    if (known !== undefined) return known
    const { bytes: own, draws } = nestings.get(stream) ?? { bytes: 0, draws: new Map<PdfStream, number>() }
    let [levels, bytes] = [0, Math.max(own, LEAST_BYTES)]
    open.add(stream)
    for (const [one, times] of draws) {
      // a form that draws itself is drawn by nobody
      if (one === stream) continue
      if (open.has(one)) throw new Disagreement('forms that draw each other in a circle')
      // deeper than that nothing is followed, by which the stack would overflow
      const below = open.size > 2 * MOST_LEVELS ? { levels: MOST_LEVELS, bytes: 0 } : measure(one)
      levels = Math.max(levels, below.levels)
      bytes += times * below.bytes
    }
    open.delete(stream)
    if (bytes > MOST_DRAWN_BYTES)
      throw new Refusal('too_slow', 'forms drawn so often that readers take minutes for them')
    if (levels >= MOST_LEVELS) isTooDeep = true
    measured.set(stream, { levels: levels + 1, bytes })
    return { levels: levels + 1, bytes }
  }
  for (const stream of nestings.keys()) measure(stream)
  if (isTooDeep) throw new Disagreement('forms within forms deeper than all readers follow')
}
