import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../launch/project.mjs'

/** Runs the real test command on a project that has only the given files. */
function runTests(t: TestContext, files: Record<string, string>, words: string[]) {
  const root = mkdtempSync(join(tmpdir(), 'proofdesk-run-'))
  t.after(() => rmSync(root, { recursive: true }))
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  for (const [path, text] of Object.entries({ 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const env = { ...process.env }
  // Set by the runner that runs this test; with it the inner one would run nothing.
  delete env['NODE_TEST_CONTEXT']
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/run-tests.ts'), ...words], {
    cwd: root,
    encoding: 'utf8',
    env,
  })
  return { status, lastLine: stdout.trimEnd().split('\n').at(-1), stdout, stderr }
}

const PASSING = "import { test } from 'node:test'\ntest('holds', () => {})\n"
const FAILING = "import { test } from 'node:test'\ntest('breaks', () => { throw new Error('broken') })\n"
const SKIPPED = "import { test } from 'node:test'\ntest('waits', (t) => t.skip('no qpdf here'))\n"
const BROKEN = "import './missing.ts'\n"

test('the last line is plain counts over all stages', (t) => {
  const files = {
    'packages/proof/src/a.test.ts': PASSING,
    'packages/proof/src/b.test.ts': SKIPPED,
    'packages/contract/src/c.test.ts': PASSING,
  }
  const { status, lastLine } = runTests(t, files, ['proof', 'contract'])
  assert.equal(lastLine, '2 passed, 0 failed, 1 skipped')
  assert.equal(status, 0)
})

test('a failed test in any stage is exit code 1, and the stages after it still run', (t) => {
  const files = { 'packages/proof/src/a.test.ts': FAILING, 'packages/contract/src/c.test.ts': PASSING }
  const { status, lastLine, stdout } = runTests(t, files, ['proof', 'contract'])
  assert.equal(lastLine, '1 passed, 1 failed, 0 skipped')
  assert.equal(status, 1)
  const end = stdout.slice(stdout.lastIndexOf('── contract ──'))
  assert.match(end, /\nproof ✖ breaks \(.*packages\/proof\/src\/a\.test\.ts\)\n {4}Error: broken\n/)
})

test('an error thrown beside all tests, or by a promise that nobody waits for, fails the run', (t) => {
  const beside = "test('holds', () => {})\nsetTimeout(() => { throw new Error('lost') }, 10)\n"
  const unheard =
    "test('holds', async () => { void Promise.reject(new Error('lost')); await new Promise(setImmediate) })\n"
  const imported = "import { test } from 'node:test'\n"
  for (const text of [beside, unheard]) {
    const { status, stdout } = runTests(t, { 'packages/proof/src/a.test.ts': `${imported}${text}` }, ['proof'])
    assert.equal(status, 1, stdout)
    assert.match(stdout, /lost/)
  }
})

test('a test that another one begins after it has waited is counted below it, and an error in it is its own', (t) => {
  const nested = `import { describe, test } from 'node:test'
describe('a group', () => {
  test('holds', async (t) => {
    await new Promise(setImmediate)
    await t.test('breaks', async () => { await new Promise(setImmediate); throw new Error('broken') }).catch(() => {})
  })
})
`
  const { status, stdout } = runTests(t, { 'packages/proof/src/a.test.ts': nested }, ['proof'])
  assert.equal(status, 1)
  assert.match(stdout, /\nproof ✖ breaks \(.*a\.test\.ts\)\n {4}Error: broken\n/)
})

test('what a stage finds wrong after its tests is told again at the end of the run', (t) => {
  const setUp =
    "export function globalTeardown() { console.error('the plan of one statement differs'); process.exitCode = 1 }"
  const files = { 'packages/server/src/testing/one-postgres.ts': setUp, 'packages/server/src/a.test.ts': PASSING }
  const { status, lastLine, stdout } = runTests(t, files, ['server'])
  assert.equal(lastLine, '1 passed, 1 failed, 0 skipped')
  assert.equal(status, 1)
  assert.match(
    stdout,
    /\nserver ✖ the stage, after its tests \(packages\/server\)\n {4}the plan of one statement differs\n/,
  )
})

test('a stage that runs nothing is a failure', (t) => {
  const { status, lastLine, stdout } = runTests(t, { 'packages/proof/src/a.ts': '' }, ['proof'])
  assert.equal(lastLine, '0 passed, 1 failed, 0 skipped')
  assert.match(stdout, /there is nothing to run/)
  assert.equal(status, 1)
})

test('a stage whose every test is skipped is a failure: it proved nothing', (t) => {
  const { status, lastLine } = runTests(t, { 'packages/proof/src/a.test.ts': SKIPPED }, ['proof'])
  assert.equal(lastLine, '0 passed, 1 failed, 1 skipped')
  assert.equal(status, 1)
})

test('a test file that cannot be loaded is a failure', (t) => {
  const { status, lastLine } = runTests(t, { 'packages/proof/src/a.test.ts': BROKEN }, ['proof'])
  assert.equal(lastLine, '0 passed, 1 failed, 0 skipped')
  assert.equal(status, 1)
})

test('of test files that share a process one that cannot be loaded fails alone, and all others run', (t) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`packages/server/src/${n}.test.ts`, PASSING]))
  const { status, lastLine } = runTests(t, { ...files, 'packages/server/src/7.test.ts': BROKEN }, ['server'])
  assert.equal(lastLine, '19 passed, 1 failed, 0 skipped')
  assert.equal(status, 1)
})

/** It ends once the other stage has begun, and gives up after a minute. */
const meet = (own: string, other: string) => `import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
test('${own} meets ${other}', async () => {
  writeFileSync('${own}.here', '')
  for (const end = Date.now() + 60_000; !existsSync('${other}.here'); await sleep(20))
    if (Date.now() > end) throw new Error('${other} never came')
})
`

test('stages run side by side, and are told one after the other, each as a whole', (t) => {
  const files = {
    'packages/proof/src/a.test.ts': meet('proof', 'contract'),
    'packages/contract/src/c.test.ts': meet('contract', 'proof'),
  }
  const { status, stdout, lastLine } = runTests(t, files, ['proof', 'contract'])
  assert.equal(lastLine, '2 passed, 0 failed, 0 skipped')
  assert.equal(status, 0)
  const told = /── proof ──\n([^]*)── contract ──\n([^]*)/.exec(stdout)
  assert.match(told?.[1] ?? '', /^✔ proof meets contract .*\nℹ tests 1\n[^✔]*$/)
  assert.match(told?.[2] ?? '', /^✔ contract meets proof .*\nℹ tests 1\n/)
})

test('what tests leave behind in the temporary folder is gone after the run', (t) => {
  const leaving = `import { mkdtempSync } from 'node:fs'\nimport { tmpdir } from 'node:os'\nimport { join } from 'node:path'
    console.log('left at', mkdtempSync(join(tmpdir(), 'left-')), 'by', process.pid)\n${PASSING}`
  const { stdout } = runTests(t, { 'packages/proof/src/a.test.ts': leaving }, ['proof'])
  const left = /left at (\S+) by/.exec(stdout)?.[1] ?? ''
  assert.ok(left.includes('proofdesk-tests-'), stdout)
  assert.equal(existsSync(left), false)
})

test('a path narrows a stage to what lies under it', (t) => {
  const files = { 'packages/proof/src/cms/a.test.ts': PASSING, 'packages/proof/src/b.test.ts': FAILING }
  const { lastLine } = runTests(t, files, ['packages/proof/src/cms'])
  assert.equal(lastLine, '1 passed, 0 failed, 0 skipped')
})

test('a word that is neither a stage nor a path is refused by name', (t) => {
  const { status, stderr } = runTests(t, {}, ['sever'])
  assert.notEqual(status, 0)
  assert.match(stderr, /"sever" is neither a stage/)
})
