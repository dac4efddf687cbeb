import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './list-mutants.ts'
import { runTestFiles } from './run-test-files.ts'

/** What of a source file ran: innermost ranges last. */
type Ranges = { startOffset: number; endOffset: number; count: number }[]

export interface TestReach {
  /** Relative to the project. */
  file: string
  /** Milliseconds. */
  lasted: number
  passed: boolean
  /** By path relative to the project. */
  ran: Map<string, Ranges[]>
}

interface CoverageReport {
  result: { url: string; functions: { ranges: Ranges }[] }[]
}

/** Runs one test file by itself and notes what of the sources it ran. Types are blanked out, so offsets are those of the text. */
export async function measureReach(root: string, file: string): Promise<TestReach> {
  const folder = join(root, '.coverage', file.replaceAll('/', '-'))
  rmSync(folder, { recursive: true, force: true })
  const began = performance.now()
  const outcome = await runTestFiles(root, [file], { NODE_V8_COVERAGE: folder })
  const lasted = performance.now() - began
  const ran = new Map<string, Ranges[]>()
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as CoverageReport
    for (const { url, functions } of result) {
      if (!url.startsWith(`file://${root}/packages/`) || url.includes('node_modules')) continue
      const path = fileURLToPath(url).slice(root.length + 1)
      const known = ran.get(path) ?? []
      known.push(functions.flatMap(({ ranges }) => ranges))
      ran.set(path, known)
    }
  }
  rmSync(folder, { recursive: true, force: true })
  return { file, lasted, passed: outcome === 'passed', ran }
}

/** The test files that run what a mutant changes, quickest first. */
export function findReaching(reaches: readonly TestReach[], { path, start }: Mutant): TestReach[] {
  return reaches
    .filter(({ ran }) => ran.get(path)?.some((ranges) => isRun(ranges, start)))
    .toSorted((one, other) => one.lasted - other.lasted)
}

/** The narrowest range around an offset says whether it ran. */
function isRun(ranges: Ranges, offset: number): boolean {
  let narrowest: Ranges[number] | undefined
  for (const range of ranges) {
    if (offset < range.startOffset || offset >= range.endOffset) continue
    if (!narrowest || range.endOffset - range.startOffset <= narrowest.endOffset - narrowest.startOffset)
      narrowest = range
  }
  return narrowest !== undefined && narrowest.count > 0
}
