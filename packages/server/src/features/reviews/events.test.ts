import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeBlob } from '../../blobs/remove-blob.ts'
import { reviewEvents } from './events.ts'

test('what a decision no longer needs is removed where it was kept, and nothing else', () => {
  const collection = { id: 3, owner_id: 1, username: 'ada', title: 'Degree', submission_number: 1 }
  const removedBy = (key: string | null) =>
    reviewEvents.approval_withdrawn(2, collection, 5, key).work?.filter(({ kind }) => kind === removeBlob.kind)
  assert.deepEqual(removedBy('revisions/aa'), [removeBlob({ key: 'revisions/aa' })])
  assert.deepEqual(removedBy(null), [])
})
