import { basename } from 'node:path'
import type { Problem, Rule, SourceFile, SourceTree } from './source-tree.ts'

const MOST_LINES = 450
const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|spec|config|d))?\.(ts|tsx|mjs)$/
const EMPTY_NAMES = /^(index|utils?|helpers?|managers?|common|misc|shared)(\.test)?\.(ts|tsx|mjs)$/

/** Files are small, named after what they hold, and hold something. */
export const checkShape: Rule = ({ files }) =>
  files.flatMap((file) => checkFile(file).map((text) => ({ path: file.path, text })))

function checkFile(file: SourceFile): string[] {
  const name = basename(file.path)
  const problems: string[] = []
  const lines = file.text.split('\n').length - 1
  if (lines > MOST_LINES)
    problems.push(`${lines} lines are too many (at most ${MOST_LINES}): give its parts files of their own.`)
  if (!KEBAB.test(name)) problems.push('file names are kebab-case.')
  if (EMPTY_NAMES.test(name)) problems.push(`"${name}" does not say what it holds: name the file after it.`)
  if (file.path.endsWith('.tsx') && file.home !== 'packages/web')
    problems.push('Node cannot run .tsx: JSX stands in packages/web only.')
  if (isBarrel(file))
    problems.push('a file that only passes things on hides where they live: import them from their own file.')
  return problems
}

function isBarrel({ program }: SourceFile): boolean {
  const { body } = program
  const passesOn = (type: string, source: unknown) =>
    type === 'ExportAllDeclaration' || (type === 'ExportNamedDeclaration' && source !== null)
  if (body.some(({ type }) => type === 'ExportAllDeclaration')) return true
  return (
    body.length > 0 &&
    body.every((statement) => passesOn(statement.type, 'source' in statement ? statement.source : null))
  )
}

/** No file needs, over others, itself. Types may: they are gone before anything runs. */
export const checkCycles: Rule = ({ files }) => {
  const needs = listNeeds(files)
  const problems: Problem[] = []
  const done = new Set<string>()
  for (const start of needs.keys()) {
    const cycle = done.has(start) ? undefined : findCycle(needs, start, done)
    if (!cycle) continue
    for (const path of cycle) done.add(path)
    problems.push({
      path: cycle[0] ?? start,
      text: `imports itself by way of ${cycle.slice(1).join(' > ')}: move what both need into a third file.`,
    })
  }
  return problems
}

function listNeeds(files: SourceTree['files']): Map<string, string[]> {
  return new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ target, typeOnly }) => (target && !typeOnly ? [target] : [])),
    ]),
  )
}

function findCycle(
  needs: Map<string, string[]>,
  path: string,
  done: Set<string>,
  way: string[] = [],
): string[] | undefined {
  const seenAt = way.indexOf(path)
  if (seenAt >= 0) return [...way.slice(seenAt), path]
  if (done.has(path)) return undefined
  for (const next of needs.get(path) ?? []) {
    const cycle = findCycle(needs, next, done, [...way, path])
    if (cycle) return cycle
  }
  done.add(path)
  return undefined
}
