import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { ensureIssuingKeys } from '@proofdesk/certify/issuing-keys'
import { makeSmallDisk } from '../../testing/small-disk.ts'

test('a full disk refuses uploads and approvals, leaves nothing half-done, and is fine once there is room', async (t) => {
  const disk = await makeSmallDisk(t, '3m')
  if (!disk) return
  const keys = join(disk.root, 'keys')
  await ensureIssuingKeys({ dir: keys, organisation: 'Test Registry' })
  // What has been compiled of it would lie on this disk, for each parsing process, in place of what is stored.
  const said = disk.run('fill-disk.ts', [keys], { ...process.env, PROOFDESK_PARSING_PROGRAM: undefined })
  assert.deepEqual(JSON.parse(said), {
    'upload on a full disk': { status: 503, code: 'storage_unavailable', left: 0 },
    'upload with room': { status: 201, left: 0 },
    'approve on a full disk': { status: 503, code: 'storage_unavailable', left: 0 },
    'approve with room': { status: 200, left: 0 },
    'seal on a full disk': { status: 202, problem: 'storage_unavailable' },
    'seal with room': { status: 200, left: 0 },
    sealed: true,
  })
})
