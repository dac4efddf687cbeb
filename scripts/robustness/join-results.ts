import { readFileSync } from 'node:fs'
import type { Examination } from './examine-file.ts'

/** Reads what `--json` wrote. @throws where it is something else. */
export function readResults(path: string): Examination[] {
  const results: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!Array.isArray(results) || !results.every(isExamination)) throw new Error(`No results of such a run: ${path}`)
  return results
}

/** One report of several runs. A file that was examined again has its later result, where its first one stood. */
export function joinResults(runs: readonly (readonly Examination[])[]): Examination[] {
  const joined = new Map<string, Examination>()
  for (const one of runs.flat()) joined.set(JSON.stringify([one.collection, one.file]), one)
  return [...joined.values()]
}

function isExamination(one: unknown): one is Examination {
  return (
    typeof one === 'object' && one !== null && ['collection', 'file', 'inspection', 'words'].every((key) => key in one)
  )
}
