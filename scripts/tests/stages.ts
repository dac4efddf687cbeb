import { existsSync, globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { groupFiles } from './group-files.ts'
import { readNodeReport, readPlaywrightReport, readVitestReport, type StageReport } from './stage-report.ts'

/** What one stage runs: arguments for Node, and how its report is read. */
export interface StageRun {
  args: string[]
  cwd: string
  env: Record<string, string>
  readReport: (reportFile: string) => StageReport
}

export interface Stage {
  name: string
  /** Relative to the project. */
  folder: string
  /** Longer than that on two quiet cores, beside another stage, is told as slow; it fails nothing. The longest begin first. */
  usualMinutes: number
  needsBrowser: boolean
  needsJudges: boolean
  /** No other stage runs beside it. */
  isAlone?: boolean
  /** @param only paths relative to the project; empty for all. @returns undefined when there is nothing to run */
  plan(root: string, only: string[], reportFile: string): StageRun | undefined
}

const UNWATCHED_PROMISES = pathToFileURL(join(import.meta.dirname, 'unwatched-promises.ts')).href

interface NodeOptions {
  /** A file that is run before all tests and after them; relative to the project. */
  setUp?: string
  /** What the tests are told when all of them run. */
  wholeEnv?: Record<string, string>
  /** Test files that share a process, where loading and starting what they need takes longer than the tests. */
  perProcess?: number
  /** Its tests wait half of their time, for clocks and for other programs: half as many processes again run at once. */
  waits?: boolean
}

const inNode = (
  name: string,
  folder: string,
  usualMinutes: number,
  needsJudges: boolean,
  options: NodeOptions = {},
): Stage => ({
  name,
  folder,
  usualMinutes,
  needsBrowser: false,
  needsJudges,
  plan: (root, only, reportFile) =>
    only.length
      ? planNode(root, only, reportFile, options)
      : planNode(root, [folder], reportFile, options, options.wholeEnv),
})

/** In the order in which they are told: the parts before what is made of them. */
export const STAGES: Stage[] = [
  inNode('scripts', 'scripts', 2, false),
  inNode('proof', 'packages/proof', 1, false),
  inNode('contract', 'packages/contract', 1, false),
  inNode('certify', 'packages/certify', 6, true),
  inNode('server', 'packages/server', 9, true, {
    setUp: 'packages/server/src/testing/one-postgres.ts',
    wholeEnv: { PROOFDESK_TEST_WHOLE: '1' },
    perProcess: 33,
    waits: true,
  }),
  inNode('demo', 'packages/demo', 1, true),
  inNode('verifier', 'packages/verifier', 1, false),
  inNode('bench', 'bench', 3, false),
  { name: 'web', folder: 'packages/web', usualMinutes: 5, needsBrowser: false, needsJudges: false, plan: planVitest },
  {
    name: 'e2e',
    folder: 'e2e',
    usualMinutes: 10,
    needsBrowser: true,
    needsJudges: true,
    isAlone: true,
    plan: planPlaywright,
  },
]

/**
 * Which stages to run, and of each only what.
 * @param words stage names or paths; all stages when there are none
 * @throws Error for a word that is neither
 */
export function chooseStages(root: string, words: readonly string[]): Map<Stage, string[]> {
  if (words.length === 0) return new Map(STAGES.map((stage) => [stage, []]))
  const chosen = new Map<Stage, string[]>()
  for (const word of words) {
    const path = relative(root, resolve(root, word))
    const named = STAGES.find((stage) => stage.name === word || stage.folder === path)
    const holding = STAGES.find((stage) => path.startsWith(`${stage.folder}/`))
    if (named) chosen.set(named, [])
    else if (holding && existsSync(join(root, path))) chosen.set(holding, [...(chosen.get(holding) ?? []), path])
    else throw new Error(`"${word}" is neither a stage (${STAGES.map((s) => s.name).join(', ')}) nor a path in one.`)
  }
  return chosen
}

function planNode(
  root: string,
  only: string[],
  reportFile: string,
  { setUp, perProcess = 1, waits = false }: NodeOptions,
  env: Record<string, string> = {},
): StageRun | undefined {
  const found = only.flatMap((path) => listNodeTests(root, path))
  if (found.length === 0) return undefined
  // Of itself Node leaves one core idle; on two that is half the machine.
  const atOnce = Math.ceil(Math.max(2, availableParallelism()) * (waits ? 1.5 : 1))
  const files = perProcess === 1 ? found : groupFiles(root, found, { perProcess, atOnce }, `${reportFile}.groups`)
  const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout']
  reporters.push(`--test-reporter=${join(import.meta.dirname, 'node-reporter.ts')}`)
  reporters.push(`--test-reporter-destination=${reportFile}`)
  const around =
    setUp !== undefined && existsSync(join(root, setUp)) ? [`--test-global-setup=${join(root, setUp)}`] : []
  return {
    args: ['--test', '--import', UNWATCHED_PROMISES, `--test-concurrency=${atOnce}`, ...around, ...reporters, ...files],
    cwd: root,
    env,
    readReport: readNodeReport,
  }
}

function listNodeTests(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return globSync(`${path}/**/*.test.ts`, { cwd: root, exclude: (name) => name.includes('node_modules') }).toSorted()
}

function planVitest(root: string, only: string[], reportFile: string): StageRun | undefined {
  const cwd = join(root, 'packages/web')
  if (!existsSync(join(cwd, 'vite.config.ts')) && !existsSync(join(cwd, 'vitest.config.ts'))) return undefined
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json']
  args.push(`--outputFile.json=${reportFile}`, ...only.map((path) => relative(cwd, join(root, path))))
  return { args, cwd, env: {}, readReport: readVitestReport }
}

function planPlaywright(root: string, only: string[], reportFile: string): StageRun | undefined {
  if (!existsSync(join(root, 'e2e/playwright.config.ts'))) return undefined
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--config=e2e/playwright.config.ts']
  args.push('--reporter=list,json', ...only)
  // Its own place for it is a temporary folder, which goes with the run.
  const PWTEST_CACHE_DIR = join(root, 'node_modules/.cache/playwright')
  return {
    args,
    cwd: root,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile, PWTEST_CACHE_DIR },
    readReport: readPlaywrightReport,
  }
}
