import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inProject } from './project.mjs'

test('every npm command hands its place to the launcher: npm signals only its own child, and a shell between would keep it', () => {
  const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { scripts: Record<string, string> }
  for (const [name, script] of Object.entries(scripts)) assert.equal(script, `exec node scripts/launch.mjs ${name}`)
})

test('an unknown command is one line that names those there are', () => {
  const { status, stderr } = spawnSync(process.execPath, [inProject('scripts/launch.mjs'), 'sart'], {
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.equal(
    stderr,
    'Unknown command "sart". There are: start, build, dev, test, test-any-day, mutate, check, format, admin, demo, verify, bench, prints, hammer.\n',
  )
})
