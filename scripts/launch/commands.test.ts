import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runDemo } from './commands.mjs'
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

test('the server of the demonstration mails nobody: it is started without the mail server of the settings', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-commands-'))
  const node = join(folder, 'node')
  const seen = join(folder, 'seen')
  // In place of the two programs that a demonstration starts.
  const script = `#!/bin/sh
case "$1" in
  */demo/src/main.ts) echo fill >> ${seen} ;;
  */start/main.ts) echo "serve \${SMTP_URL-none} \${SMTP_URL_FILE-none} $DATA_DIR" >> ${seen} ;;
esac
`
  writeFileSync(node, script, { mode: 0o755 })
  const before = { ...process.env }
  t.after(() => {
    process.env = before
    rmSync(folder, { recursive: true })
  })
  Object.assign(process.env, {
    SMTP_URL: 'smtp://mail.example',
    SMTP_URL_FILE: '/run/secrets/smtp_url',
    DATA_DIR: folder,
  })
  assert.equal(await runDemo(node, [], async () => {}), 0)
  assert.deepEqual(readFileSync(seen, 'utf8').split('\n'), ['fill', `serve none none ${folder}`, ''])
})
