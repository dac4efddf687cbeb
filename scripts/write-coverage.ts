// Writes docs/specification-coverage.md: each item of the specification with the tests that show it.
// With --check nothing is written; a document that is out of date is refused like an item without a test.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findTest } from './coverage/find-tests.ts'
import { formatCoverage } from './coverage/format-coverage.ts'
import { listTestFiles, type Test } from './coverage/list-tests.ts'
import { listItems, readItems, type Item } from './coverage/read-items.ts'

export const DOCUMENT = 'docs/specification-coverage.md'

export interface Coverage {
  /** One line for each item without a test, each test that is not there, and each line that is not understood. */
  refused: string[]
  /** The document as it should be. */
  text: string
  /** Numbers of the items that wait for something. */
  waiting: string[]
}

export function readCoverage(root: string): Coverage {
  const { sections, problems: refused } = readItems(root)
  const files = listTestFiles(root)
  const found = new Map<Item, Test[]>()
  const items = sections.flatMap(listItems)
  // A checker that looks at nothing finds nothing wrong.
  if (items.length === 0) refused.push('docs/specification holds no item.')
  for (const item of items) {
    const { place, number, tests, comesWith } = item
    if (tests.length === 0 && comesWith === undefined) refused.push(`${place}: ${number} is shown by no test.`)
    if (tests.length > 0 && comesWith !== undefined)
      refused.push(`${place}: ${number} is shown by a test, so it no longer comes with ${comesWith}.`)
    const results = tests.map((named) => findTest(files, named))
    for (const result of results) if (typeof result === 'string') refused.push(`${place}: ${number}: ${result}.`)
    found.set(
      item,
      results.filter((result) => typeof result !== 'string'),
    )
  }
  const waiting = items.filter(({ comesWith }) => comesWith !== undefined).map(({ number }) => number)
  return { refused, text: formatCoverage(sections, found), waiting }
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
