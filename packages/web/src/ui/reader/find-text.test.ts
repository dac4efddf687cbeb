import { expect, test } from 'vitest'
import { findOnPage, foldPage, groupByPage } from './find-text.ts'
import type { TextRun } from './reading-order.ts'

const toRuns = (...lines: string[]): TextRun[] => lines.map((str) => ({ str, hasEOL: true }))

/** What is marked, as the runs spell it. */
function findWords(runs: TextRun[], query: string): string[] {
  return findOnPage(foldPage(runs), runs, query, 0).map(({ parts }) =>
    parts.map(({ run, start, end }) => runs[run]?.str.slice(start, end)).join('|'),
  )
}

test.each([
  ['straße', 'Die STRASSE und die Straße', ['Straße']],
  ['resume', 'Résumé, RESUME', ['Résumé', 'RESUME']],
  ['office', 'Back oﬃce', ['oﬃce']],
  ['fi', 'ﬁne', ['ﬁ']],
  ['１２', 'No. 12', ['12']],
  ['قرارداد', 'قَرارداد اجاره', ['قَرارداد']],
  ['𝒳y', 'a 𝒳y b', ['𝒳y']],
  ['x.y', 'x-y', []],
])('%j is found in %j whatever case, accents, width and ligatures', (query, text, expected) => {
  expect(findWords(toRuns(text), query)).toEqual(expected)
})

test('2.144 what goes on over the end of a line or from run to run is one match with a part in each', () => {
  expect(findWords(toRuns('the rented', 'flat and'), 'Rented  flat')).toEqual(['rented|flat'])
  const runs = [
    { str: 'Proof', hasEOL: false },
    { str: 'desk', hasEOL: true },
  ]
  expect(findWords(runs, 'proofdesk')).toEqual(['Proof|desk'])
})

test('nothing and blanks find nothing, and matches do not overlap', () => {
  expect(findWords(toRuns('a  b'), '  ')).toEqual([])
  expect(findWords(toRuns('aaaa'), 'aa')).toEqual(['aa', 'aa'])
})

test('matches are grouped by their page, in order', () => {
  const matches = [2, 5, 2].map((page) => ({ page, parts: [] }))
  expect([...groupByPage(matches)].map(([page, group]) => [page, group.length])).toEqual([
    [2, 2],
    [5, 1],
  ])
})
