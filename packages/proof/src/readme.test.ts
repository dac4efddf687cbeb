import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PACKAGE = join(import.meta.dirname, '..')
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
const { exports } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
}

test('the README names every file that others may import, and every function of the log and of verifying', async () => {
  for (const [name, file] of Object.entries(exports)) {
    assert.ok(readme.includes(`\`${name.slice(2)}\``), name)
    if (!/^\.\/(log\/|paper\/|verify-|instance-policy|document-verdict)/.test(name)) continue
    const module = (await import(join(PACKAGE, file))) as Record<string, unknown>
    for (const [exported, value] of Object.entries(module)) {
      if (typeof value === 'function') assert.ok(readme.includes(`\`${exported}\``), `${name} ${exported}`)
    }
  }
})
