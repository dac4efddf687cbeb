import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../testing/fill-database-disk.ts', import.meta.url))
/** The small disk is mounted where nobody but the program sees it, and is gone when it ends. */
const MOUNT_AND_RUN = 'mount -t tmpfs -o size=48m tmpfs "$1" && shift && exec "$@"'

test('with the disk of the database full, people sign in, decide and delete; later they are told what is away', async (t) => {
  const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
  if (!canMount) {
    assert.notEqual(process.env['CI'], 'true', 'a private mount is possible')
    return t.skip('mounting a small disk needs root and unshare')
  }
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-full-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const [small, roomy] = ['small', 'roomy'].map((name) => join(root, name))
  assert.ok(small && roomy)
  await Promise.all([mkdir(small), mkdir(roomy)])
  const program = [process.execPath, PROGRAM, small, roomy]
  const ran = spawnSync('unshare', ['--mount', 'sh', '-c', MOUNT_AND_RUN, 'sh', small, ...program], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  assert.equal(ran.status, 0, ran.stderr)
  const told = JSON.parse(ran.stdout) as Record<string, unknown>
  t.diagnostic(ran.stdout)
  assert.equal(told['first start'], 'is ready')
  assert.deepEqual(told['full'], { 'sign in': 200, 'delete a content': 204, create: 201, reject: 200, list: 200 })
  assert.deepEqual(told['used up'], ['503 database_unavailable', true])
  for (const answer of Object.values(told['used up, all'] as object))
    assert.ok([200, 201, 204, '503 database_unavailable'].includes(answer), ran.stdout)
  assert.deepEqual(told['log'], { cause: true, hidden: false, unexpected: false })
  assert.match(
    String(told['restart']),
    /^(is ready|The database .* cannot be opened: its disk is full|Proofdesk cannot start: .*: its disk is full)\n?$/,
  )
  assert.deepEqual(told['room again'], [200, 204])
})
