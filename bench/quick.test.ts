import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SUITES } from './options.ts'

const MAIN = join(import.meta.dirname, 'main.ts')

test('a quick run measures every suite and writes a report of it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-report-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, '--quick', '--report', folder], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  t.diagnostic(stdout)

  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.md'))
  const report = readFileSync(join(folder, name), 'utf8')
  assert.match(report, /Its figures mean nothing/)
  assert.match(report, /cores/)
  assert.match(report, /SQLite 3/)
  assert.doesNotMatch(report, /NaN|Infinity/)
  for (const suite of SUITES) {
    const part = report.split(`## ${suite}\n`)[1]?.split('\n## ')[0] ?? ''
    const hasFigures = / \d[\d.]* (x|ms) /.test(part)
    assert.ok(hasFigures || part.includes('Left out: '), `${suite}: ${part}`)
    if (hasFigures)
      assert.match(
        readFileSync(join(folder, name.replace('.md', ''), `${suite}.svg`), 'utf8'),
        /^<svg [^]*<rect [^]*<\/svg>/,
      )
  }
})

test('what it is asked wrongly is answered with one sentence', () => {
  for (const [args, words] of [
    [['--suites', 'flat,soup'], 'soup is no suite'],
    [['--fill', 'many', 'here'], '--fill takes a whole number'],
    [['--fill', '100'], '--fill takes a number and one folder'],
    [['--postgres', 'postgres://here'], '--postgres goes with --fill or --filled'],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.ok(stderr.startsWith(words), stderr)
    assert.equal(stderr.trimEnd().split('\n').length, 1)
  }
})
