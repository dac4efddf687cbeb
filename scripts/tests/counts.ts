import { readFileSync } from 'node:fs'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

interface NodeCounts {
  passed: number
  failed: number
  cancelled: number
  skipped: number
  todo: number
}

/** Reads what `count-reporter.ts` wrote. A test marked "todo" did not prove anything: it counts as skipped. */
export function readNodeCounts(file: string): Counts {
  const { passed, failed, cancelled, skipped, todo } = readJson(file) as NodeCounts
  return { passed, failed: failed + cancelled, skipped: skipped + todo }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** Reads Vitest's JSON report. A file that could not even be loaded has no tests to count: it is one failure. */
export function readVitestCounts(file: string): Counts {
  const report = readJson(file) as VitestReport
  const unloaded = report.testResults.filter((r) => r.status === 'failed' && r.assertionResults.length === 0).length
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  errors: unknown[]
}

/** Reads Playwright's JSON report. A test that passed only when repeated is a failure; so is an error outside tests. */
export function readPlaywrightCounts(file: string): Counts {
  const { stats, errors } = readJson(file) as PlaywrightReport
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
