/** What pdf.js gives of a run of text. Without its place a run stands where it comes. */
export interface TextRun {
  str: string
  hasEOL: boolean
  /** Which way pdf.js has read the letters: within a run they are in the order in which they are spoken. */
  dir?: string
  /** The last two are where the run begins, in points. */
  transform?: readonly number[]
  width?: number
  height?: number
}

/** A run in its turn. */
export interface OrderedRun {
  /** Index among the runs of the page. */
  run: number
  /** Its brackets are drawn the other way round than they are written. */
  isMirrored: boolean
  /** A gap stands before it that no letter fills. */
  isApart: boolean
  endsLine: boolean
}

/** Of the height of the letters: a narrower gap parts no words. */
const WORD_GAP = 0.15
/** Of the height of the letters: the same piece drawn so close is drawn bold. */
const BOLD_SHIFT = 0.1

/** Hebrew to Arabic Extended-A, and the presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u
const ANY_RIGHT_TO_LEFT = new RegExp(RIGHT_TO_LEFT, 'gu')
const DIGIT = /\p{Nd}/u
const LETTER = /\p{L}/u
/** One of these between two numbers belongs to them. */
const NUMBER_SEPARATOR = /^[.,:/+\-\u066b\u066c]$/u

/** As in UAX 9: right to left, left to right, a number, or what goes with its neighbours. */
type Kind = 'R' | 'L' | 'number' | 'neutral'

/**
 * The runs of a page in the order in which they are read. Lines without a right-to-left letter stay as they come. PDFs
 * hold the others mostly as they look, from the left; what is known is where each run stands, so they are put in that order
 * and read by the rules of UAX 9, backwards.
 */
export function orderRuns(runs: readonly TextRun[]): OrderedRun[] {
  return splitLines(runs).flatMap(({ line, endsLine }) => {
    const ordered = line.some((run) => RIGHT_TO_LEFT.test(runs[run]?.str ?? ''))
      ? orderLine(line, runs)
      : line.map((run) => ({ run, isMirrored: false, isApart: false, endsLine: false }))
    const last = ordered.at(-1)
    if (last) last.endsLine = endsLine
    return ordered
  })
}

/** A line ends where pdf.js says so, and where letters stand on another height. */
function splitLines(runs: readonly TextRun[]): { line: number[]; endsLine: boolean }[] {
  const lines: { line: number[]; endsLine: boolean }[] = []
  let line: number[] = []
  runs.forEach((item, run) => {
    const first = runs[line[0] ?? run]
    if (line.length > 0 && item.str !== '' && first && !isOnLine(item, first)) {
      lines.push({ line, endsLine: false })
      line = []
    }
    // An empty run that ends a line has the place of the next one.
    if (item.str !== '' || line.length === 0) line.push(run)
    if (!item.hasEOL) return
    lines.push({ line, endsLine: true })
    line = []
  })
  if (line.length > 0) lines.push({ line, endsLine: false })
  return lines
}

function isOnLine(item: TextRun, first: TextRun): boolean {
  const height = Math.max(item.height ?? 0, first.height ?? 0)
  return Math.abs((item.transform?.[5] ?? 0) - (first.transform?.[5] ?? 0)) <= height / 2
}

function orderLine(line: readonly number[], runs: readonly TextRun[]): OrderedRun[] {
  const isPlaced = line.every((run) => isUpright(runs[run]))
  const startOf = (run: number) => runs[run]?.transform?.[4] ?? 0
  const seen = isPlaced
    ? dropDoubles(
        line.toSorted((a, b) => startOf(a) - startOf(b)),
        runs,
      )
    : [...line]
  const texts = seen.map((run) => runs[run]?.str ?? '')
  // Without places the runs are taken as written.
  const levels = isPlaced ? findLevels(texts) : texts.map(() => 0)
  const hasGapAfter = seen.map((run, at) => isPlaced && isGap(runs[run], runs[seen[at + 1] ?? -1]))
  return turnByLevels(levels).map((at, i, order) => {
    const before = order[i - 1]
    const isApart = before !== undefined && hasGapAfter[findEdge(levels, before, at)] === true
    return { run: seen[at] ?? 0, isMirrored: (levels[at] ?? 0) % 2 === 1, isApart, endsLine: false }
  })
}

/** Which edge lies between two that are read one after the other. @returns its place: that of what stands left of it */
function findEdge(levels: readonly number[], one: number, other: number): number {
  const [before = 0, after = 0] = [levels[one], levels[other]]
  // Where the direction changes the two need not stand side by side: the one read in the direction of the line tells.
  if (before <= after) return before % 2 === 0 ? one : one - 1
  return after % 2 === 0 ? other - 1 : other
}

function isUpright(run: TextRun | undefined): boolean {
  const [across = 0, up = 1] = run?.transform ?? []
  return run?.transform !== undefined && up === 0 && across > 0
}

/** Some programs print bold letters by drawing them twice. */
function dropDoubles(line: readonly number[], runs: readonly TextRun[]): number[] {
  return line.filter((run, i) => {
    const [item, before] = [runs[run], runs[line[i - 1] ?? -1]]
    if (!item || !before || item.str.trim() === '' || item.str !== before.str) return true
    const shift = (item.transform?.[4] ?? 0) - (before.transform?.[4] ?? 0)
    return shift > BOLD_SHIFT * (item.height ?? 0)
  })
}

function isGap(left: TextRun | undefined, right: TextRun | undefined): boolean {
  if (!left || !right) return false
  const gap = (right.transform?.[4] ?? 0) - (left.transform?.[4] ?? 0) - (left.width ?? 0)
  return gap > WORD_GAP * Math.max(left.height ?? 0, right.height ?? 0)
}

/** @param texts of one line from the left */
function findLevels(texts: readonly string[]): number[] {
  const rightToLeft = texts.reduce((sum, text) => sum + (text.match(ANY_RIGHT_TO_LEFT)?.length ?? 0), 0)
  const letters = texts.reduce((sum, text) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0)
  const base: Kind = 2 * rightToLeft >= letters ? 'R' : 'L'
  return settleNeutrals(joinNumbers(texts, texts.map(findKind)), base).map((kind) => {
    if (kind === 'R') return 1
    return kind === 'L' && base === 'L' ? 0 : 2
  })
}

function findKind(text: string): Kind {
  if (RIGHT_TO_LEFT.test(text)) return 'R'
  if (LETTER.test(text)) return 'L'
  return DIGIT.test(text) ? 'number' : 'neutral'
}

/** A number after letters from left to right goes with them; a separator between two numbers goes with those. */
function joinNumbers(texts: readonly string[], given: readonly Kind[]): Kind[] {
  const kinds = [...given]
  let strong: Kind | undefined
  kinds.forEach((kind, at) => {
    if (kind === 'neutral') {
      const isBetween = given[at - 1] === 'number' && given[at + 1] === 'number'
      if (isBetween && NUMBER_SEPARATOR.test(texts[at] ?? '')) kinds[at] = strong === 'L' ? 'L' : 'number'
    } else if (kind === 'number') {
      if (strong === 'L') kinds[at] = 'L'
    } else strong = kind
  })
  return kinds
}

/** What stands between two that are read the same way is read as they are, and else as the line. */
function settleNeutrals(kinds: readonly Kind[], base: 'L' | 'R'): Kind[] {
  const settled = [...kinds]
  let before = base
  let from = 0
  for (let at = 0; at <= kinds.length; at++) {
    const kind = kinds[at]
    if (kind === 'neutral') continue
    const after = kind === undefined ? base : kind === 'L' ? 'L' : 'R'
    settled.fill(before === after ? before : base, from, at)
    before = after
    from = at + 1
  }
  return settled
}

/** Rule L2 of UAX 9, which turns what is seen into what is written as well as the other way. @returns places in `levels` */
function turnByLevels(levels: readonly number[]): number[] {
  const order = levels.map((_, at) => at)
  for (let level = 2; level > 0; level--)
    for (let from = 0; from < order.length; from++) {
      let to = from
      while (to < order.length && (levels[to] ?? 0) >= level) to++
      for (let left = from, right = to - 1; left < right; left++, right--)
        [order[left], order[right]] = [order[right] ?? 0, order[left] ?? 0]
      from = Math.max(from, to)
    }
  return order
}
