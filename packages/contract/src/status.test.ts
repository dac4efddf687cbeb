import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC } from './limits.ts'
import { collectionStatus, isOpen, isReviewable, tileParameters, CollectionStatus } from './status.ts'

const facts = (over: Partial<Parameters<typeof collectionStatus>[0]> = {}) => ({
  is_active: true,
  is_locked: false,
  proofid: null,
  admin_desc: DEFAULT_ADMIN_DESC,
  ...over,
})

/** Specification section 4, status table: condition beside status, written out by hand. */
const TABLE: [string, ReturnType<typeof facts>, CollectionStatus][] = [
  ['4.22 active, not locked, admin_desc still default', facts(), 'opened'],
  ['4.23 active, locked, no proofid', facts({ is_locked: true }), 'in_progress'],
  [
    '4.27 active, locked after an answer, no proofid',
    facts({ is_locked: true, admin_desc: 'Sign page 3' }),
    'in_progress',
  ],
  ['4.24 active, not locked, admin_desc changed', facts({ admin_desc: 'Sign page 3' }), 'answered'],
  ['4.25 active with proofid', facts({ is_locked: true, proofid: 'P', admin_desc: 'Fine' }), 'approved'],
  ['4.26 inactive with proofid', facts({ is_active: false, is_locked: true, proofid: 'P' }), 'expired'],
  ['4.26 inactive without proofid', facts({ is_active: false }), 'expired'],
]

for (const [condition, collection, status] of TABLE) {
  test(`${condition}: the status is ${status}`, () => assert.equal(collectionStatus(collection), status))
}

test('only an active, unlocked collection without Proof ID is open', () => {
  assert.equal(isOpen(facts()), true)
  for (const over of [{ is_active: false }, { is_locked: true }, { proofid: 'P' }])
    assert.equal(isOpen(facts(over)), false)
})

test('4.36 only an active, locked collection without Proof ID waits for a decision', () => {
  assert.equal(isReviewable(facts({ is_locked: true })), true)
  assert.equal(isReviewable(facts()), false)
  assert.equal(isReviewable(facts({ is_locked: true, proofid: 'P' })), false)
  assert.equal(isReviewable(facts({ is_locked: true, is_active: false })), false)
})

test('4.29 each filter tile sends parameters that its own collections meet', () => {
  for (const [condition, collection, status] of TABLE) {
    const sent = tileParameters(status)
    assert.equal(String(collection.is_active), sent.is_active, condition)
    if (sent.is_locked) assert.equal(String(collection.is_locked), sent.is_locked, condition)
    if (sent.has_proofid) assert.equal(String(collection.proofid !== null), sent.has_proofid, condition)
    if (sent.exlude_admin_desc) assert.notEqual(collection.admin_desc, sent.exlude_admin_desc, condition)
  }
})

test('4.29 each filter tile sends the parameters of the specification', () => {
  assert.deepEqual(CollectionStatus.options.map(tileParameters), [
    { is_active: 'true', is_locked: 'false', has_proofid: 'false' },
    { is_active: 'true', is_locked: 'true' },
    { is_active: 'true', is_locked: 'false', exlude_admin_desc: DEFAULT_ADMIN_DESC },
    { is_active: 'true', is_locked: 'true', has_proofid: 'true' },
    { is_active: 'false' },
  ])
})
