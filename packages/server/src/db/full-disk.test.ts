import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSmallDisk } from '../testing/small-disk.ts'

test('with the disk of the database full, people sign in, decide and delete; later they are told what is away', async (t) => {
  const disk = await makeSmallDisk(t, '48m')
  if (!disk) return
  const said = disk.run('fill-database-disk.ts')
  const told = JSON.parse(said) as Record<string, unknown>
  t.diagnostic(said)
  assert.equal(told['first start'], 'is ready')
  assert.deepEqual(told['full'], { 'sign in': 200, 'delete a content': 204, create: 201, reject: 200, list: 200 })
  assert.deepEqual(told['used up'], ['503 database_unavailable', true])
  for (const answer of Object.values(told['used up, all'] as object))
    assert.ok([200, 201, 204, '503 database_unavailable'].includes(answer), said)
  assert.deepEqual(told['log'], { cause: true, hidden: false, unexpected: false })
  assert.match(
    String(told['restart']),
    /^(is ready|The database .* cannot be opened: its disk is full|Proofdesk cannot start: .*: its disk is full)\n?$/,
  )
  assert.deepEqual(told['room again'], [200, 204])
})
