import { orderRuns, type TextRun } from './reading-order.ts'

/** The text of one page as the reader finds in it: folded, and with the way back to where each letter stands. */
export interface PageText {
  folded: string
  /** For each letter of `folded`: which run of text it comes from, and where in it; -1 for space put between runs. */
  runs: Int32Array
  starts: Int32Array
}

/** A stretch within one run of text; `end` is past its last letter. */
export interface RunPart {
  run: number
  start: number
  end: number
}

export interface Match {
  /** Counts from 0. */
  page: number
  parts: RunPart[]
}

/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs and hamzas of Arabic, and what only joins or parts
 * letters: nobody types them to search.
 */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** One letter on Arabic, Persian and Urdu keyboards; fonts that have one shape for them leave unclear which was meant. */
const ALIKE: Readonly<Record<string, string>> = {
  ي: 'ی',
  ى: 'ی',
  ك: 'ک',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
}

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

/** Whatever the case, the accents, the width and the ligatures, the forms of Arabic letters and the digits in use. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(/[\u0649\u064a\u0643\u06be\u06c1\u06d5]/gu, (letter) => ALIKE[letter] ?? letter)
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .toLowerCase()
    .replace(/\s+/gu, ' ')
}

/** In the order in which it is read, whichever way its letters run. */
export function foldPage(items: readonly TextRun[]): PageText {
  let folded = ''
  const runs: number[] = []
  const starts: number[] = []
  const put = (text: string, run: number, start: number) => {
    for (const letter of text) {
      if (letter === ' ' && folded.endsWith(' ')) continue
      folded += letter
      for (let i = 0; i < letter.length; i++) {
        runs.push(run)
        starts.push(start)
      }
    }
  }
  for (const { run, isMirrored, isApart, endsLine } of orderRuns(items)) {
    if (isApart) put(' ', -1, 0)
    let start = 0
    for (const letter of items[run]?.str ?? '') {
      put(foldText(isMirrored ? (MIRRORED[letter] ?? letter) : letter), run, start)
      start += letter.length
    }
    if (endsLine) put(' ', -1, 0)
  }
  return { folded, runs: Int32Array.from(runs), starts: Int32Array.from(starts) }
}

/** All places of a query on one page, in the order of its text. @param query as it was typed */
export function findOnPage(text: PageText, items: readonly TextRun[], query: string, page: number): Match[] {
  const sought = foldText(query).trim()
  if (sought === '') return []
  const matches: Match[] = []
  for (let at = text.folded.indexOf(sought); at >= 0; at = text.folded.indexOf(sought, at + sought.length))
    matches.push({ page, parts: toParts(text, items, at, at + sought.length) })
  return matches
}

function toParts({ runs, starts }: PageText, items: readonly TextRun[], from: number, to: number): RunPart[] {
  const parts: RunPart[] = []
  for (let at = from; at < to; at++) {
    const run = runs[at] ?? -1
    const start = starts[at] ?? 0
    if (run < 0) continue
    const end = start + letterLength(items[run]?.str ?? '', start)
    const last = parts.at(-1)
    if (last?.run === run) last.end = Math.max(last.end, end)
    else parts.push({ run, start, end })
  }
  return parts
}

/** In UTF-16 units: 2 for a letter outside the basic plane. */
function letterLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

export function groupByPage(matches: readonly Match[]): Map<number, Match[]> {
  const groups = new Map<number, Match[]>()
  for (const match of matches) {
    const group = groups.get(match.page)
    if (group) group.push(match)
    else groups.set(match.page, [match])
  }
  return groups
}
