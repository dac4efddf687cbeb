// Writes docs/specification-coverage.md: each item of the specification with the tests that show it.
// With --check nothing is written; a document that is out of date is refused like an item without a test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { formatCoverage } from './coverage/format-coverage.ts'
import { listTests, type Test } from './coverage/list-tests.ts'
import { listItems, readItems } from './coverage/read-items.ts'

export const DOCUMENT = 'docs/specification-coverage.md'

export interface Coverage {
  /** One line for each item without a test, each number without an item, and each line that is not understood. */
  refused: string[]
  /** The document as it should be. */
  text: string
  /** Numbers of the items that wait for something. */
  waiting: string[]
}

export function readCoverage(root: string): Coverage {
  const { sections, problems: refused } = readItems(root)
  const items = sections.flatMap(listItems)
  // A checker that looks at nothing finds nothing wrong.
  if (items.length === 0) refused.push('docs/specification holds no item.')
  const shownBy = new Map<string, Test[]>(items.map(({ number }) => [number, []]))
  for (const test of listTests(root)) {
    for (const number of new Set([...test.items, ...test.rowItems])) {
      const shown = shownBy.get(number)
      if (shown) shown.push(test)
      else if (test.items.includes(number))
        refused.push(`${test.path}: "${test.titles.at(-1)}" begins with ${number}, which is no item.`)
    }
  }
  for (const { place, number, comesWith } of items) {
    const isShown = shownBy.get(number)?.length !== 0
    if (!isShown && comesWith === undefined) refused.push(`${place}: ${number} is shown by no test.`)
    if (isShown && comesWith !== undefined)
      refused.push(`${place}: ${number} is shown by a test, so it no longer comes with ${comesWith}.`)
  }
  const waiting = items.filter(({ comesWith }) => comesWith !== undefined).map(({ number }) => number)
  return { refused, text: formatCoverage(sections, shownBy), waiting }
}

/** @returns whether the document on disk is the one the items and tests give */
export function isWritten(root: string, text: string): boolean {
  const path = join(root, DOCUMENT)
  return existsSync(path) && readFileSync(path, 'utf8') === text
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const root = resolve(folder ?? dirname(import.meta.dirname))
  const { refused, text, waiting } = readCoverage(root)
  if (!process.argv.includes('--check') && refused.length === 0) writeFileSync(join(root, DOCUMENT), text)
  else if (refused.length === 0 && !isWritten(root, text))
    refused.push(`${DOCUMENT} is out of date: run "node scripts/write-coverage.ts".`)
  for (const line of refused) console.error(line)
  if (waiting.length > 0) console.log(`Not shown yet: ${waiting.join(', ')}.`)
  if (refused.length > 0) process.exitCode = 1
}
