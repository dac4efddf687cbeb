import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { formatFailure, readNodeReport, readPlaywrightReport, readVitestReport } from './stage-report.ts'

function writeReport(t: TestContext, report: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-report-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('of node:test a cancelled test is a failure and a test to be done proved nothing', (t) => {
  const counts = { tests: 15, passed: 1, failed: 2, cancelled: 3, skipped: 4, todo: 5 }
  const failures = [{ file: 'a.test.ts', name: 'breaks', message: 'broken' }]
  const file = writeReport(t, { counts, failures })
  assert.deepEqual(readNodeReport(file), { counts: { passed: 1, failed: 5, skipped: 9 }, failures })
})

test('of Vitest a file that could not be loaded is a failure', (t) => {
  const testResults = [
    { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    {
      name: 'b.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'failed', fullName: 'breaks', failureMessages: ['broken', 'twice'] },
        { status: 'passed', fullName: 'holds', failureMessages: [] },
      ],
    },
  ]
  const report = { numPassedTests: 7, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1, testResults }
  assert.deepEqual(readVitestReport(writeReport(t, report)), {
    counts: { passed: 7, failed: 2, skipped: 3 },
    failures: [
      { file: 'b.test.ts', name: 'breaks', message: 'broken\ntwice' },
      { file: 'a.test.ts', name: 'the file', message: 'no such module' },
    ],
  })
})

test('of Playwright a test that passed only when repeated is a failure, and so is an error outside tests', (t) => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    tests: [{ status, results: messages.map((message) => ({ errors: [{ message }] })) }],
  })
  const inner = { file: 'a.spec.ts', specs: [spec('wavers', 'flaky', 'once')] }
  const suites = [
    { file: 'a.spec.ts', specs: [spec('holds', 'expected'), spec('breaks', 'unexpected', 'x', 'y')], suites: [inner] },
  ]
  const report = {
    stats: { expected: 7, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: 'no port' }],
    suites,
  }
  assert.deepEqual(readPlaywrightReport(writeReport(t, report)), {
    counts: { passed: 7, failed: 3, skipped: 2 },
    failures: [
      { file: 'a.spec.ts', name: 'breaks', message: 'x\ny' },
      { file: 'a.spec.ts', name: 'wavers', message: 'once' },
      { file: 'e2e', name: 'outside the tests', message: 'no port' },
    ],
  })
})

test('what a failed test said is told in short, whatever it printed', () => {
  const told = formatFailure({ file: 'a.test.ts', name: 'breaks', message: `first\n${'x'.repeat(5000)}` })
  assert.match(told, /^✖ breaks \(a\.test\.ts\)\n {4}first\n {4}xxx/)
  assert.ok(told.length < 1600)
})
