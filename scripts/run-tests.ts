// Runs every test of the project in stages, and ends with plain counts over all of them.
// Words after the command choose stages or paths: `npm test -- server`, `npm test -- packages/web/src/features/auth`.
// `npm test -- --changed` chooses the tests that can be reached by what differs from `main`.
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureWebBuilt } from './launch/web-build.mjs'
import { bundleForTests } from './tests/bundle-programs.ts'
import { findTouchedTests } from './tests/find-touched-tests.ts'
import { ensureJudges } from './tests/judges.ts'
import { listChanges } from './tests/list-changes.ts'
import { runProgram } from './tests/run-program.ts'
import { runStages } from './tests/run-stages.ts'
import { chooseStages, STAGES, type Stage } from './tests/stages.ts'
import { addCounts, formatCounts, formatFailure, NOTHING, type Counts, type StageReport } from './tests/stage-report.ts'
import { takeTurns, type Voice } from './tests/take-turns.ts'
import { makeTemporaryFolder } from './tests/temporary-folder.ts'
import { readSourceTree } from './walls/source-tree.ts'

const root = dirname(import.meta.dirname)
const ONE_FAILURE: Counts = { ...NOTHING, failed: 1 }
const CHANGED = '--changed'
/** What was compiled in an earlier process, or an earlier run, need not be again. */
const COMPILED = process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules/.cache/compiled')
/** Every stage tells of each test as it ends. One that says nothing for so long hangs, however slow the machine is. */
const SILENCE_LIMIT_MS = 10 * 60_000

let stopped = false
process.on('SIGINT', () => void (stopped = true)).on('SIGTERM', () => void (stopped = true))

const temporary = makeTemporaryFolder()
try {
  process.exitCode = await runAll(process.argv.slice(2))
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** @throws Error for words beside it, which would say twice what to run */
function chooseTouched(words: string[]): Map<Stage, string[]> {
  if (words.length > 1) throw new Error(`${CHANGED} chooses the tests itself: no other words beside it.`)
  const changes = listChanges(root)
  const tests = findTouchedTests(readSourceTree(root), changes)
  console.log(`${changes.length} changed files reach ${tests.length} test files:`)
  for (const test of tests) console.log(`  ${test}`)
  const chosen = tests.length > 0 ? chooseStages(root, tests) : new Map<Stage, string[]>()
  return new Map(STAGES.filter((stage) => chosen.has(stage)).map((stage) => [stage, chosen.get(stage) ?? []]))
}

async function runAll(words: string[]): Promise<number> {
  const chosen = words.includes(CHANGED) ? chooseTouched(words) : chooseStages(root, words)
  if ([...chosen.keys()].some((stage) => stage.needsJudges)) ensureJudges()
  const bundled = await bundleForTests(root)
  const stages = [...chosen.keys()]
  const takeVoice = takeTurns(stages)
  const ends = new Map<Stage, StageEnd>()
  await runStages(stages, async (stage) => {
    const voice = takeVoice(stage)
    if (!stopped) {
      voice.say(process.stdout, `\n── ${stage.name} ──\n`)
      ends.set(stage, await runStage(stage, chosen.get(stage) ?? [], bundled, voice))
    }
    voice.end()
  })
  const lines: string[] = []
  const failures: string[] = []
  let total = NOTHING
  for (const stage of stages) {
    const end = ends.get(stage)
    if (!end) continue
    const { counts, remark, failed = [] } = end
    total = addCounts(total, counts)
    failures.push(...failed.map((failure) => `${stage.name} ${formatFailure(failure)}`))
    lines.push(`${stage.name.padEnd(9)} ${formatCounts(counts)}${remark}`)
  }
  if (stopped) {
    lines.push('stopped before the end')
    total = addCounts(total, ONE_FAILURE)
  }
  // Told again at the end: thousands of passed tests stand between a failed one and who reads the last page.
  for (const failure of failures) console.log(`\n${failure}`)
  console.log(`\n${lines.join('\n')}\n\n${formatCounts(total)}`)
  return total.failed > 0 ? 1 : 0
}

interface StageEnd {
  counts: Counts
  remark: string
  failed?: StageReport['failures']
}

/** A stage that cannot run, runs nothing, or ends badly without a failed test to show for it is itself one failure. */
async function runStage(
  stage: Stage,
  only: string[],
  bundled: Record<string, string>,
  { say }: Voice,
): Promise<StageEnd> {
  const reportFile = join(temporary, `${stage.name}.json`)
  const plan = stage.plan(root, only, reportFile)
  if (!plan) return { counts: ONE_FAILURE, remark: ' (there is nothing to run)' }
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_COMPILE_CACHE: COMPILED,
    TMPDIR: temporary,
    ...bundled,
    ...plan.env,
  }
  if (stage.needsBrowser) {
    await ensureWebBuilt(process.execPath)
    const browser = await ensureBrowser()
    if (!browser) return { counts: ONE_FAILURE, remark: ' (no browser could be had: install Chromium, or set CHROME)' }
    Object.assign(env, browser.env, { CHROME: browser.path })
  }
  const { exitCode, fellSilent, seconds, errorTail } = await runProgram(process.execPath, plan.args, {
    cwd: plan.cwd,
    env,
    silenceLimitMs: SILENCE_LIMIT_MS,
    say,
  })
  const took = ` in ${seconds.toFixed(1)} s${seconds > stage.usualMinutes * 60 ? ` (slow: usually within ${stage.usualMinutes} min)` : ''}`
  const { counts, failures: failed = [] } = readReport(() => plan.readReport(reportFile)) ?? {}
  if (fellSilent)
    return {
      counts: addCounts(counts ?? NOTHING, ONE_FAILURE),
      remark: ` (stopped: it hung, silent to the end)${took}`,
      failed,
    }
  if (!counts) return { counts: ONE_FAILURE, remark: ` (ended with ${exitCode} and no report)${took}` }
  if (counts.passed + counts.failed === 0) return { counts: addCounts(counts, ONE_FAILURE), remark: ' (ran nothing)' }
  if (exitCode !== 0 && counts.failed === 0) {
    // What every test passed and the whole did not: what was said outside the tests is the reason.
    return {
      counts: addCounts(counts, ONE_FAILURE),
      remark: ` (ended with ${exitCode}; the reason stands above)${took}`,
      failed: [...failed, { file: stage.folder, name: 'the stage, after its tests', message: errorTail }],
    }
  }
  return { counts, remark: took, failed }
}

function readReport(read: () => StageReport): StageReport | undefined {
  try {
    return read()
  } catch {
    // The report is missing or cut off: the program ended before it could write it.
    return undefined
  }
}
