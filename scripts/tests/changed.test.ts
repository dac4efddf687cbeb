import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../launch/project.mjs'
import { readSourceTree } from '../walls/source-tree.ts'
import { findTouchedTests } from './find-touched-tests.ts'
import { listChanges } from './list-changes.ts'

const TEST = "import { test } from 'node:test'\ntest('holds', () => {})\n"
const manifest = (name: string, needs: string[] = [], exports: object = {}) =>
  JSON.stringify({ name, exports, dependencies: Object.fromEntries(needs.map((need) => [need, '1'])) })

/** A small project of the same rooms. */
const HOUSE: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'docs/table.md': '# A table\n',
  'packages/proof/package.json': manifest('@proofdesk/proof', [], { './errors': './src/errors.ts' }),
  'packages/proof/src/errors.ts': 'export const id = 1\n',
  'packages/proof/src/errors.test.ts': `import './errors.ts'\n${TEST}`,
  'packages/proof/src/words.json': '{}',
  'packages/contract/package.json': manifest('@proofdesk/contract', ['@proofdesk/proof']),
  'packages/contract/src/shapes.ts': "import '@proofdesk/proof/errors'\nexport const shape = 1\n",
  'packages/contract/src/shapes.test.ts': `import { shape } from './shapes.ts'\n${TEST}void shape\n`,
  'packages/contract/src/types.test.ts': `import type { id } from '@proofdesk/proof/errors'\n${TEST}`,
  'packages/contract/src/page.test.ts': `${TEST}export const page = '../../../docs/table.md'\n`,
  'packages/server/package.json': manifest('@proofdesk/server', ['@proofdesk/contract']),
  'packages/server/src/main.ts': "import './feature.ts'\n",
  'packages/server/src/feature.ts': "export const worker = new URL('worker.ts', import.meta.url)\n",
  'packages/server/src/worker.ts': 'export {}\n',
  'packages/server/src/feature.test.ts': `import './feature.ts'\n${TEST}`,
  'packages/server/src/other.test.ts': TEST,
  'packages/web/package.json': manifest('@proofdesk/web', ['@proofdesk/contract']),
  'packages/web/src/testing/setup.ts': 'export {}\n',
  'packages/web/src/button.tsx': 'export {}\n',
  'packages/web/src/button.test.tsx': `import './button.tsx'\n${TEST}`,
  'e2e/package.json': manifest('@proofdesk/e2e', ['@proofdesk/server']),
  'e2e/playwright.config.ts': 'export default {}\n',
  'e2e/journey.spec.ts': "export const server = '../packages/server/src'\n",
  'scripts/look.test.ts': TEST,
}

function build(t: TestContext, files: Record<string, string> = HOUSE): string {
  const root = mkdtempSync(join(tmpdir(), 'proofdesk-changed-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) write(root, path, text)
  return root
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function git(root: string, ...args: string[]): void {
  const settings = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgsign=false']
  const { status, stderr } = spawnSync('git', [...settings, ...args], { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

function commitAll(root: string): void {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'A step')
}

const JOURNEY = 'e2e/journey.spec.ts'
const TOUCHED: Record<string, { changes: string[]; tests: string[] }> = {
  'a test alone touches itself': {
    changes: ['packages/server/src/other.test.ts'],
    tests: ['packages/server/src/other.test.ts'],
  },
  'a source file touches the tests that import it, over other files and packages': {
    changes: ['packages/proof/src/errors.ts'],
    tests: ['packages/contract/src/shapes.test.ts', 'packages/proof/src/errors.test.ts'],
  },
  'what is started as a thread or a program touches whoever names it, and a server every journey': {
    changes: ['packages/server/src/worker.ts'],
    tests: [JOURNEY, 'packages/server/src/feature.test.ts'],
  },
  'what the web shows touches every journey': {
    changes: ['packages/web/src/button.tsx'],
    tests: [JOURNEY, 'packages/web/src/button.test.tsx'],
  },
  'what tests run with touches them all': {
    changes: ['e2e/playwright.config.ts'],
    tests: [JOURNEY],
  },
  'a page touches the tests that name it, and those that look at the whole project': {
    changes: ['docs/table.md'],
    tests: ['packages/contract/src/page.test.ts', 'scripts/look.test.ts'],
  },
  'any other file touches all tests of its package and of those above it': {
    changes: ['packages/contract/src/words.json'],
    tests: [
      JOURNEY,
      'packages/contract/src/page.test.ts',
      'packages/contract/src/shapes.test.ts',
      'packages/contract/src/types.test.ts',
      'packages/server/src/feature.test.ts',
      'packages/server/src/other.test.ts',
      'packages/web/src/button.test.tsx',
    ],
  },
  'a source file that is gone touches as much: what named it can no longer be told': {
    changes: ['packages/web/src/gone.ts'],
    tests: [JOURNEY, 'packages/web/src/button.test.tsx'],
  },
  'a test that is gone touches nothing': { changes: ['packages/web/src/gone.test.ts'], tests: [] },
}

for (const [name, { changes, tests }] of Object.entries(TOUCHED))
  test(name, (t) => assert.deepEqual(findTouchedTests(readSourceTree(build(t)), changes), tests))

test('the packages that are installed, and how tests are run, touch every test', (t) => {
  const tree = readSourceTree(build(t))
  const all = tree.files.filter(({ path }) => /\.(test|spec)\./.test(path)).map(({ path }) => path)
  for (const change of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'scripts/tests/stages.ts'])
    assert.deepEqual(findTouchedTests(tree, [change]), all, change)
})

test('changed is what a branch has done since it left main, committed, not committed and new', (t) => {
  const root = build(t, { 'a.ts': '1', 'b.ts': '1', 'c.ts': '1', '.gitignore': 'ignored.ts\n' })
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  commitAll(root)
  git(root, 'checkout', '--quiet', '-b', 'step')
  write(root, 'a.ts', '2')
  commitAll(root)
  write(root, 'b.ts', '2')
  write(root, 'grün.ts', '')
  write(root, 'ignored.ts', '')
  assert.deepEqual(listChanges(root), ['a.ts', 'b.ts', 'grün.ts'])
})

test('on main changed is what is not committed, else the last commit, moved and removed files among it', (t) => {
  const root = build(t, { 'a.ts': '1', 'b.ts': 'a longer text that would be seen to have moved', 'c.ts': '1' })
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  commitAll(root)
  assert.deepEqual(listChanges(root), ['a.ts', 'b.ts', 'c.ts'])
  git(root, 'mv', 'b.ts', 'd.ts')
  git(root, 'rm', '--quiet', 'c.ts')
  commitAll(root)
  assert.deepEqual(listChanges(root), ['b.ts', 'c.ts', 'd.ts'])
  write(root, 'a.ts', '2')
  assert.deepEqual(listChanges(root), ['a.ts'])
})

test('npm test -- --changed runs those tests and no others, and is content with none', (t) => {
  const root = build(t)
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), {
    recursive: true,
    filter: (path) => !path.endsWith('.test.ts'),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  write(root, '.gitignore', 'node_modules\n')
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  commitAll(root)
  const run = (...words: string[]) => {
    // Set by the runner that runs this test; with it the inner one would run nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const args = [join(root, 'scripts/run-tests.ts'), ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })
    return { status, stderr, lastLine: stdout.trimEnd().split('\n').at(-1) }
  }
  write(root, 'packages/proof/src/errors.ts', 'export const id = 2\n')
  assert.deepEqual(run('--changed'), { status: 0, stderr: '', lastLine: '2 passed, 0 failed, 0 skipped' })
  write(root, 'packages/proof/src/errors.test.ts', `${TEST}throw new Error('broken')\n`)
  assert.equal(run('--changed').status, 1)
  commitAll(root)
  git(root, 'rm', '--quiet', 'packages/proof/src/errors.test.ts')
  assert.deepEqual(run('--changed'), { status: 0, stderr: '', lastLine: '0 passed, 0 failed, 0 skipped' })
  const refused = run('--changed', 'proof')
  assert.notEqual(refused.status, 0)
  assert.match(refused.stderr, /--changed chooses the tests itself/)
})
