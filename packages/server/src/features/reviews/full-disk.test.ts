import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'

const PROGRAM = fileURLToPath(new URL('../../testing/fill-disk.ts', import.meta.url))
/** The small disk is mounted where nobody but the program sees it, and is gone when it ends. */
const MOUNT_AND_RUN = 'mount -t tmpfs -o size=3m tmpfs "$1" && shift && exec "$@"'

test('a full disk refuses uploads and approvals, leaves nothing half-done, and is fine once there is room', async (t) => {
  const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
  if (!canMount) {
    assert.notEqual(process.env['CI'], 'true', 'a private mount is possible')
    return t.skip('mounting a small disk needs root and unshare')
  }
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-full-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const [small, roomy, keys] = ['small', 'roomy', 'keys'].map((name) => join(root, name))
  assert.ok(small && roomy && keys)
  await Promise.all([mkdir(small), mkdir(roomy)])
  await ensureIssuingKeys({ dir: keys, organisation: 'Test Registry' })
  const program = [process.execPath, PROGRAM, small, roomy, keys]
  const ran = spawnSync('unshare', ['--mount', 'sh', '-c', MOUNT_AND_RUN, 'sh', small, ...program], {
    encoding: 'utf8',
    // What has been compiled of it would lie on this disk, for each parsing process, in place of what is stored.
    env: { ...process.env, PROOFDESK_PARSING_PROGRAM: undefined },
  })
  assert.equal(ran.status, 0, ran.stderr)
  assert.deepEqual(JSON.parse(ran.stdout), {
    'upload on a full disk': { status: 503, code: 'storage_unavailable', left: 0 },
    'upload with room': { status: 201, left: 0 },
    'approve on a full disk': { status: 503, code: 'storage_unavailable', left: 0 },
    'approve with room': { status: 200, left: 0 },
    'seal on a full disk': { status: 202, problem: 'storage_unavailable' },
    'seal with room': { status: 200, left: 0 },
    sealed: true,
  })
})
