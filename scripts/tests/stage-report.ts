import { readFileSync } from 'node:fs'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** One failed test: where it stands, what it is named and what it said, as told again at the end of the run. */
export interface Failure {
  file: string
  name: string
  message: string
}

export interface StageReport {
  counts: Counts
  failures: Failure[]
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }
/** Characters of one failure that are told again; the whole stands where the test ran. */
const TOLD_LENGTH = 1500

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

export function formatFailure({ file, name, message }: Failure): string {
  const told = message.length > TOLD_LENGTH ? `${message.slice(0, TOLD_LENGTH)} …` : message
  return `✖ ${name} (${file})\n${told.replace(/^/gm, '    ')}`
}

interface NodeReport {
  counts: { passed: number; failed: number; cancelled: number; skipped: number; todo: number }
  failures: Failure[]
}

/** Reads what `node-reporter.ts` wrote. A test marked "todo" did not prove anything: it counts as skipped. */
export function readNodeReport(file: string): StageReport {
  const { counts, failures } = readJson(file) as NodeReport
  const { passed, failed, cancelled, skipped, todo } = counts
  return { counts: { passed, failed: failed + cancelled, skipped: skipped + todo }, failures }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: VitestFile[]
}

interface VitestFile {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

/** Reads Vitest's JSON report. A file that could not even be loaded has no tests to count: it is one failure. */
export function readVitestReport(file: string): StageReport {
  const report = readJson(file) as VitestReport
  const unloaded = report.testResults.filter((r) => r.status === 'failed' && r.assertionResults.length === 0)
  const failed = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => ({ file: name, name: test.fullName, message: test.failureMessages.join('\n') })),
  )
  return {
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    failures: [...failed, ...unloaded.map(({ name, message }) => ({ file: name, name: 'the file', message }))],
  }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: { message?: string }[]
  suites: PlaywrightSuite[]
}

interface PlaywrightSuite {
  file: string
  specs: { title: string; tests: { status: string; results: { errors: { message?: string }[] }[] }[] }[]
  suites?: PlaywrightSuite[]
}

/** Reads Playwright's JSON report. A test that passed only when repeated is a failure; so is an error outside tests. */
export function readPlaywrightReport(file: string): StageReport {
  const { stats, errors, suites } = readJson(file) as PlaywrightReport
  const outside = errors.map(({ message = '' }) => ({ file: 'e2e', name: 'outside the tests', message }))
  return {
    counts: { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped },
    failures: [...suites.flatMap(listSuiteFailures), ...outside],
  }
}

function listSuiteFailures({ file, specs, suites = [] }: PlaywrightSuite): Failure[] {
  const failed = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const messages = results.flatMap((result) => result.errors.map(({ message = '' }) => message))
        return { file, name: title, message: messages.join('\n') }
      }),
  )
  return [...failed, ...suites.flatMap(listSuiteFailures)]
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
