import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { findReaching, measureReach } from './measure-reach.ts'
import { runTestFiles } from './run-test-files.ts'

const SOURCE = "export const size = (n: number): string => (n > 9 ? 'large' : 'small')\n"
const SOURCE_FILE = 'packages/a/src/size.ts'
const TEST_FILE = 'packages/a/src/size.test.ts'

function plant(t: TestContext, claim: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'proofdesk-mutation-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'packages/a/src'), { recursive: true })
  writeFileSync(join(root, SOURCE_FILE), SOURCE)
  writeFileSync(join(root, TEST_FILE), `import { size } from './size.ts'\n${claim}\n`)
  return root
}

test('a test that passes, fails or does not end is told as such', async (t) => {
  const outcomes = { passed: "size(1) === 'small'", failed: "size(1) === 'large'", endless: 'setInterval(size, 1000)' }
  for (const [outcome, expected] of Object.entries(outcomes)) {
    const root = plant(t, `if (!(${expected})) throw new Error()`)
    assert.equal(await runTestFiles(root, [TEST_FILE], {}, outcome === 'endless' ? 1000 : 60_000), outcome)
  }
})

test('a fault is tried with the tests that run what it changes, and with no other', async (t) => {
  const root = plant(t, 'size(1)')
  const reaches = [await measureReach(root, TEST_FILE)]
  assert.equal(reaches[0]?.passed, true)
  const reaching = (part: string) => {
    const start = SOURCE.indexOf(part)
    return findReaching(reaches, { path: SOURCE_FILE, start, end: start + 1, by: '' }).map(({ file }) => file)
  }
  assert.deepEqual(reaching("'small'"), [TEST_FILE])
  assert.deepEqual(reaching("'large'"), [])
  assert.deepEqual(findReaching(reaches, { path: 'packages/a/src/other.ts', start: 0, end: 1, by: '' }), [])
})
