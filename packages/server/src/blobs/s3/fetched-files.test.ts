import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../testing/fill-fetched.ts', import.meta.url))
/** The small disk is mounted where nobody but the program sees it, and is gone when it ends. */
const MOUNT_AND_RUN = 'mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"'

test('19.12 copies of a bucket’s files leave half of a small disk free, and go where it is full', async (t) => {
  const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
  if (!canMount) {
    assert.notEqual(process.env['CI'], 'true', 'a private mount is possible')
    return t.skip('mounting a small disk needs root and unshare')
  }
  const small = await mkdtemp(join(tmpdir(), 'proofdesk-fetched-'))
  t.after(() => rm(small, { recursive: true, force: true }))
  const program = [process.execPath, PROGRAM, small]
  const ran = spawnSync('unshare', ['--mount', 'sh', '-c', MOUNT_AND_RUN, 'sh', small, ...program], {
    encoding: 'utf8',
  })
  assert.equal(ran.status, 0, ran.stderr)
  const told = JSON.parse(ran.stdout)
  assert.deepEqual([told.whole, told.isWholeOnFullDisk], [40, true])
  assert.ok(told.kept >= 5 && told.kept <= 10, `${told.kept} copies of 100 kB on 2 MiB`)
  assert.ok(told.free >= 1_000_000, `${told.free} bytes free`)
})
