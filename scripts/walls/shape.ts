import { basename } from 'node:path'
import type { Rule, SourceFile } from './source-tree.ts'

const EMPTY_NAMES = /^(index|utils?|helpers?|managers?|common|misc|shared)(\.test)?\.(ts|tsx|mjs)$/

/** Files are named after what they hold, and hold something. */
export const checkShape: Rule = ({ files }) =>
  files.flatMap((file) => checkFile(file).map((text) => ({ path: file.path, text })))

function checkFile(file: SourceFile): string[] {
  const name = basename(file.path)
  const problems: string[] = []
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
