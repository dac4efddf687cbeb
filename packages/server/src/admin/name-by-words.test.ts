import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../testing/stopped-installation.ts'

test('a wrong place in the words of a command is told by these words, not by a setting that nobody made', async (t) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'proofdesk-words-'))
  t.after(() => rm(DATA_DIR, { recursive: true }))
  for (const [args, told] of [
    [['migrate', '--to', 'mysql://x'], /^--to is wrong: postgres:/],
    [['migrate', '--storage', 's3://'], /^--storage is wrong: s3:/],
    [['backup', 's3://'], /^The place of backups is wrong: s3:/],
    [['drill', DATA_DIR], /^The place of backups is wrong: it is DATA_DIR/],
  ] as const) {
    const { status, out, err } = await runCommand([...args], { DATA_DIR })
    assert.deepEqual([status, out], [1, ''], args.join(' '))
    assert.match(err, told)
  }
  // One that was set keeps its name.
  const { err } = await runCommand(['migrate', '--to', 'postgres://x/y'], { DATA_DIR, PORT: 'x' })
  assert.match(err, /^PORT is wrong/)
})
