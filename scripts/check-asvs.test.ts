import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { checkAsvs } from './check-asvs.ts'

const SOUND = [
  '- **1.1.1** (decoded once; level 2) met: by the router. `packages/server/src/app.ts`, `app.test.ts`: “it decodes once”',
  '- **1.2.6** (LDAP; level 2) not applicable: there is none.',
]

function check(t: TestContext, lines: string[]): string[] {
  const root = mkdtempSync(join(tmpdir(), 'proofdesk-asvs-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const files: Record<string, string> = {
    'docs/asvs.md': lines.join('\n'),
    'packages/server/src/app.ts': '',
    'packages/server/src/app.test.ts': "test('it decodes once', () => {})",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkAsvs(root)
}

test('a page whose files and tests are there is refused nothing', (t) => {
  assert.deepEqual(check(t, SOUND), [])
})

test('a file or a test that is gone, a state that is none, and a number that stands twice are refused', (t) => {
  const cases: [string, string, RegExp][] = [
    ['packages/server/src/app.ts', 'packages/server/src/gone.ts', /:1: there is no "packages\/server\/src\/gone\.ts"/],
    ['it decodes once', 'it decodes twice', /:1: no file "app\.test\.ts" has a test "it decodes twice"/],
    ['app.test.ts', 'gone.test.ts', /:1: no file "gone\.test\.ts" has a test/],
    ['met: by', 'good: by', /:1: is not of the form/],
    ['1.1.1', '1.2.6', /:2: 1\.2\.6 stands already above/],
  ]
  for (const [part, by, expected] of cases) {
    const refused = check(t, [SOUND.join('\n').replace(part, by)])
    assert.match(refused.join('\n'), expected)
  }
})

test('a page without any requirement is refused', (t) => {
  assert.match(check(t, ['# ASVS']).join(), /holds no requirement/)
})
