import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { DOCUMENT, isWritten, readCoverage } from './write-coverage.ts'

const SERVER_TEST = 'packages/server/src/features/tickets/tickets.test.ts'
const WEB_TEST = 'packages/web/src/app/columns.test.tsx'
const JOURNEY = 'e2e/journey.spec.ts'

/** A small project in which every item has its test. */
const SOUND: Record<string, string> = {
  'docs/specification/2-screens.md': [
    '# 2. Screens',
    '',
    '## Tickets',
    '',
    '- 2.1 a title | is required',
    '- 2.2 columns of staff',
    '- 2.3 limits',
    '- 2.4 what is to come',
    '  - comes with: users',
  ].join('\n'),
  [SERVER_TEST]: [
    "import { test } from 'node:test'",
    'for (const engine of ENGINES) {',
    '  test(`tickets (${engine})`, async (t) => {',
    "    await t.test('2.1 a title is required', () => {})",
    '  })',
    '  test(`2.3 limits on tickets (${engine})`, () => {})',
    '}',
  ].join('\n'),
  [WEB_TEST]: "test.each([{ role: '2.2 staff', count: '3' }])('$role sees $count columns', () => {})\n",
  [JOURNEY]: "test('a journey', async () => {\n  await test.step('2.1 the visitor asks', async () => {})\n})\n",
}

function plant(t: TestContext, faults: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'proofdesk-coverage-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries({ ...SOUND, ...faults })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** The items with one part replaced. */
const withItems = (part: string, by: string) => {
  const items = SOUND['docs/specification/2-screens.md'] ?? ''
  assert.ok(items.includes(part))
  return { 'docs/specification/2-screens.md': items.replace(part, by) }
}

test('a project whose every item has its test is refused nothing, and its document names each test', (t) => {
  const { refused, text, waiting } = readCoverage(plant(t, {}))
  assert.deepEqual(refused, [])
  assert.deepEqual(waiting, ['2.4'])
  assert.match(text, /^3 items are shown by 4 tests\.$/m)
  const shownBy = '`packages/server/src/features/tickets/tickets.test.ts`: tickets › a title is required'
  assert.ok(text.includes(`<br>${shownBy} | browser, server |`), text)
  assert.match(
    text,
    /^\| 2\.1 \| a title \\\| is required \| `e2e\/journey\.spec\.ts`: a journey › the visitor asks<br>/m,
  )
  assert.match(text, /^\| 2\.4 \| what is to come \| users \|$/m)
})

const FAULTS: { name: string; files: Record<string, string>; refused: RegExp }[] = [
  {
    name: 'an item without a test',
    files: { [SERVER_TEST]: (SOUND[SERVER_TEST] ?? '').replace('2.3 limits', 'limits') },
    refused: /2-screens\.md:7: 2\.3 is shown by no test/,
  },
  {
    name: 'an item whose test is skipped',
    files: { [SERVER_TEST]: (SOUND[SERVER_TEST] ?? '').replace('test(`2.3', 'test.skip(`2.3') },
    refused: /2\.3 is shown by no test/,
  },
  {
    name: 'an item whose row is gone from the table of a test',
    files: { [WEB_TEST]: (SOUND[WEB_TEST] ?? '').replace("'2.2 staff'", "'admin'") },
    refused: /2\.2 is shown by no test/,
  },
  {
    name: 'an item whose title only stands in a comment',
    files: { [WEB_TEST]: "// test('2.2 staff sees 3 columns')\n" },
    refused: /2\.2 is shown by no test/,
  },
  {
    name: 'a number that is no item',
    files: { [JOURNEY]: "test('2.5 a journey', async () => {})\n" },
    refused: /e2e\/journey\.spec\.ts: "a journey" begins with 2\.5, which is no item/,
  },
  {
    name: 'a number that is given twice',
    files: withItems('- 2.3', '- 2.2'),
    refused: /2-screens\.md:7: 2\.2 stands already in docs\/specification\/2-screens\.md:6/,
  },
  {
    name: 'a number of another section',
    files: withItems('- 2.3', '- 3.3'),
    refused: /2-screens\.md:7: "- 3\.3 limits" is not understood/,
  },
  {
    name: 'a line that is no item',
    files: withItems('  - comes with: users', '  - later'),
    refused: /2-screens\.md:9: "- later" is not understood/,
  },
  {
    name: 'an item that waits although a test shows it',
    files: { [JOURNEY]: "test('2.4 a journey', async () => {})\n" },
    refused: /2\.4 is shown by a test, so it no longer comes with users/,
  },
  {
    name: 'no item at all',
    files: { 'docs/specification/2-screens.md': '' },
    refused: /docs\/specification holds no item/,
  },
]

for (const { name, files, refused } of FAULTS) {
  test(`refused: ${name}`, (t) => {
    const found = readCoverage(plant(t, files)).refused
    assert.ok(
      found.some((line) => refused.test(line)),
      `refused were:\n${found.join('\n')}`,
    )
  })
}

test('a document that is missing or out of date is told from the one that should be', (t) => {
  const root = plant(t, {})
  const { text } = readCoverage(root)
  assert.equal(isWritten(root, text), false)
  writeFileSync(join(root, DOCUMENT), text)
  assert.equal(isWritten(root, text), true)
  writeFileSync(
    join(root, JOURNEY),
    "test('another journey', async () => {\n  await test.step('2.1 the visitor asks', f)\n})\n",
  )
  assert.equal(isWritten(root, readCoverage(root).text), false)
})
