import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readNodeCounts, readPlaywrightCounts, readVitestCounts } from './counts.ts'

function writeReport(t: TestContext, report: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-counts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('of node:test a cancelled test is a failure and a test to be done proved nothing', (t) => {
  const file = writeReport(t, { tests: 15, passed: 1, failed: 2, cancelled: 3, skipped: 4, todo: 5 })
  assert.deepEqual(readNodeCounts(file), { passed: 1, failed: 5, skipped: 9 })
})

test('of Vitest a file that could not be loaded is a failure', (t) => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
  ]
  const report = { numPassedTests: 7, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults }
  assert.deepEqual(readVitestCounts(writeReport(t, report)), { passed: 7, failed: 2, skipped: 3 })
})

test('of Playwright a test that passed only when repeated is a failure, and so is an error outside tests', (t) => {
  const report = { stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] }
  assert.deepEqual(readPlaywrightCounts(writeReport(t, report)), { passed: 7, failed: 3, skipped: 2 })
})
