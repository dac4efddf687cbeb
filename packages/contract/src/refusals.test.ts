import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ADMIN_DESC } from './limits.ts'
import * as may from './permissions.ts'
import { makeViewer as who } from './testing/make-viewer.ts'

const owner = who()
const unverified = who({ is_email_verified: false })
const stranger = who({ id: 2, username: 'eve' })
const staff = who({ id: 3, username: 'sam', is_staff: true })
const admin = who({ id: 4, username: 'amy', is_admin: true })
const superuser = who({ id: 5, username: 'sue', is_superuser: true })
const without = (viewer: may.Viewer): may.Viewer => ({ ...viewer, is_email_verified: false })

const open: may.ReviewFacts = {
  username: 'ada',
  is_active: true,
  is_locked: false,
  proofid: null,
  admin_desc: DEFAULT_ADMIN_DESC,
  is_claimed: false,
}
const locked = { ...open, is_locked: true }
const claimed = { ...locked, is_claimed: true }
const approved = { ...claimed, proofid: 'P' }
const expired = { ...approved, is_active: false }

type Rule = (viewer: may.Viewer, collection: may.ReviewFacts) => may.WhyNot

/** A rule of a collection, and whom it answers what; undefined: nothing stands against it. */
const REFUSALS: [rule: Rule, cases: [viewer: may.Viewer, collection: may.ReviewFacts, why: may.WhyNot][]][] = [
  [
    may.whyNotCreateCollection,
    [
      [owner, open, undefined],
      [unverified, open, 'email_not_verified'],
      [staff, open, 'forbidden'],
      [admin, open, 'forbidden'],
      [without(superuser), open, 'forbidden'],
    ],
  ],
  [
    may.whyNotEditCollection,
    [
      [owner, open, undefined],
      [stranger, open, 'forbidden'],
      [staff, open, 'forbidden'],
      [unverified, open, 'email_not_verified'],
      [who({ is_superuser: true }), open, 'forbidden'],
      [owner, locked, 'collection_not_open'],
      [owner, { ...open, proofid: 'P' }, 'collection_not_open'],
    ],
  ],
  [
    may.whyNotDeleteCollection,
    [
      [owner, open, undefined],
      [owner, { ...open, is_active: false }, undefined],
      [owner, { ...locked, is_active: false }, undefined],
      [owner, expired, undefined],
      [stranger, open, 'forbidden'],
      [unverified, open, 'email_not_verified'],
      [who({ is_admin: true }), open, 'forbidden'],
      [who({ is_staff: true }), open, 'forbidden'],
      [owner, locked, 'collection_not_deletable'],
      [owner, approved, 'collection_not_deletable'],
      [owner, { ...open, proofid: 'P' }, 'collection_not_deletable'],
    ],
  ],
  [
    may.whyNotSendCollection,
    [
      [owner, open, undefined],
      [stranger, open, 'forbidden'],
      [unverified, open, 'email_not_verified'],
      [who({ is_admin: true }), open, 'forbidden'],
      [owner, { ...open, is_active: false }, 'collection_not_open'],
      [owner, locked, 'collection_already_sent'],
      [owner, { ...open, proofid: 'P' }, 'collection_already_sent'],
    ],
  ],
  [
    may.whyNotChangeContents,
    [
      [owner, open, undefined],
      [staff, open, 'forbidden'],
      [unverified, open, 'email_not_verified'],
      [stranger, open, 'collection_not_open'],
      [owner, locked, 'collection_not_open'],
    ],
  ],
  [
    may.whyNotDeleteContent,
    [
      [owner, open, undefined],
      [staff, locked, undefined],
      [superuser, open, undefined],
      [unverified, open, 'email_not_verified'],
      [without(staff), locked, 'email_not_verified'],
      [stranger, open, 'content_locked'],
      [admin, open, 'content_locked'],
      [owner, locked, 'content_locked'],
      [staff, claimed, 'content_locked'],
      [superuser, { ...open, proofid: 'P' }, 'content_locked'],
    ],
  ],
  [
    may.whyNotReview,
    [
      [staff, locked, undefined],
      [superuser, locked, undefined],
      [stranger, locked, 'forbidden'],
      [admin, locked, 'forbidden'],
      [without(staff), locked, 'forbidden'],
      [who({ is_staff: true }), locked, 'own_collection'],
      [staff, open, 'collection_not_reviewable'],
      [staff, claimed, 'collection_not_reviewable'],
      [staff, { ...locked, is_active: false }, 'collection_not_reviewable'],
    ],
  ],
  [
    may.whyNotWithdrawApproval,
    [
      [superuser, claimed, undefined],
      [staff, claimed, 'forbidden'],
      [without(superuser), claimed, 'email_not_verified'],
      [who({ is_superuser: true }), claimed, 'own_collection'],
      [superuser, locked, 'collection_not_reviewable'],
      [superuser, approved, 'collection_not_reviewable'],
    ],
  ],
  [
    may.whyNotComment,
    [
      [owner, approved, undefined],
      [staff, open, undefined],
      [stranger, open, 'collection_not_found'],
      [admin, open, 'collection_not_found'],
      [without(staff), open, 'collection_not_found'],
      [unverified, open, 'email_not_verified'],
    ],
  ],
  [
    may.whyNotSaveReasons,
    [
      [staff, open, undefined],
      [superuser, open, undefined],
      [owner, open, 'forbidden'],
      [admin, open, 'forbidden'],
      [without(superuser), open, 'forbidden'],
    ],
  ],
]

for (const [rule, cases] of REFUSALS)
  test(`${rule.name} says what stands against it`, () => {
    for (const [i, [viewer, collection, why]] of cases.entries())
      assert.equal(rule(viewer, collection), why, `case ${i}`)
  })

test('what one may do with a collection is what nothing stands against', () => {
  const none = { edit: false, delete: false, send: false, change_contents: false, delete_contents: false }
  const rights = { ...none, comment: false, review: false, withdraw: false }
  assert.deepEqual(may.listCollectionRights(stranger, open), rights)
  assert.deepEqual(may.listCollectionRights(owner, approved), { ...rights, comment: true })
  assert.deepEqual(may.listCollectionRights(superuser, claimed), { ...rights, comment: true, withdraw: true })
  assert.deepEqual(may.listCollectionRights(staff, locked), {
    ...rights,
    delete_contents: true,
    comment: true,
    review: true,
  })
})

test('13.5 13.11 changes to a proof are refused with the reason', () => {
  const held: may.ProofFacts = { owner_id: 1, is_revoked: false, has_collection: true }
  const revoked = { ...held, is_revoked: true }
  const deleted = { ...held, has_collection: false }
  const all = [may.whyNotRevokeProof, may.whyNotReinstateProof, may.whyNotChangeProofExpiry]
  const ask = (viewer: may.Viewer, proof: may.ProofFacts) => all.map((rule) => rule(viewer, proof))
  for (const viewer of [owner, stranger, admin, without(staff), without(superuser)])
    assert.deepEqual(ask(viewer, held), ['forbidden', 'forbidden', 'forbidden'])
  for (const own of [who({ is_staff: true }), who({ is_superuser: true })]) {
    assert.deepEqual(ask(own, revoked), ['own_collection', 'own_collection', 'own_collection'])
    assert.equal(may.canReadPrivateTexts(own, held), false)
  }
  for (const viewer of [staff, superuser]) {
    assert.deepEqual(ask(viewer, held), [undefined, 'proof_not_revoked', undefined])
    assert.deepEqual(ask(viewer, revoked), ['proof_already_revoked', undefined, 'proof_already_revoked'])
    assert.deepEqual(ask(viewer, deleted), [undefined, 'proof_not_revoked', 'proof_collection_deleted'])
    assert.deepEqual(may.listProofRights(viewer, held), { revoke: true, reinstate: false, change_expiry: true })
    assert.equal(may.canReadPrivateTexts(viewer, held), true)
  }
  assert.equal(may.canReadPrivateTexts(admin, held), false)
})

test('messages and closing of tickets are refused with the reason', () => {
  const free: may.TicketFacts = { is_locked: false, admin_username: null, is_own: false }
  const taken = { ...free, admin_username: 'olga' }
  for (const [viewer, ticket, why] of [
    [null, { ...free, is_own: true }, undefined],
    [unverified, { ...free, is_own: true }, undefined],
    [staff, free, undefined],
    [staff, { ...free, admin_username: 'sam' }, undefined],
    [superuser, taken, undefined],
    [null, free, 'ticket_not_allowed'],
    [stranger, free, 'ticket_not_allowed'],
    [unverified, free, 'email_not_verified'],
    [without(staff), free, 'email_not_verified'],
    [admin, taken, 'ticket_not_allowed'],
    [stranger, { ...free, is_locked: true }, 'ticket_not_allowed'],
    [staff, { ...free, is_locked: true }, 'ticket_closed'],
    [null, { ...free, is_own: true, is_locked: true }, 'ticket_closed'],
  ] as const)
    assert.equal(may.whyNotSendMessage(viewer, ticket), why)
  for (const [viewer, ticket, why] of [
    [staff, { ...free, admin_username: 'sam' }, undefined],
    [superuser, free, undefined],
    [null, free, 'forbidden'],
    [stranger, { ...free, admin_username: 'eve' }, 'forbidden'],
    [without(superuser), free, 'email_not_verified'],
    [staff, taken, 'ticket_not_allowed'],
    [admin, free, 'ticket_not_allowed'],
  ] as const)
    assert.equal(may.whyNotCloseTicket(viewer, ticket), why)
  assert.equal(may.whyNotCreateTicket(null), undefined)
  for (const viewer of [staff, admin, superuser]) assert.equal(may.whyNotCreateTicket(viewer), 'forbidden')
})

test('comments, accounts, mail and notifications are refused with the reason', () => {
  assert.equal(may.whyNotDeleteComment(owner, { user: 1 }), undefined)
  assert.equal(may.whyNotDeleteComment(without(superuser), { user: 1 }), 'forbidden')
  for (const viewer of [admin, superuser]) {
    assert.equal(may.whyNotManageUsers(viewer), undefined)
    assert.equal(may.whyNotManageUsers(without(viewer)), 'email_not_verified')
  }
  assert.equal(may.whyNotManageUsers(without(staff)), 'forbidden')
  assert.equal(may.whyNotSeePerson(superuser), undefined)
  assert.equal(may.whyNotSeePerson(without(superuser)), 'email_not_verified')
  assert.equal(may.whyNotSeePerson(without(admin)), 'forbidden')
  assert.deepEqual([without(superuser), admin, staff, owner].map(may.canSeeMail), [true, false, false, false])
  assert.deepEqual([owner, unverified].map(may.canOpenNotifications), [true, false])
})

test('a change takes a right away when one of four flags goes', () => {
  const flags = ['is_active', 'is_superuser', 'is_admin', 'is_staff', 'is_email_verified', 'gfa_is_enabled'] as const
  assert.deepEqual(
    flags.filter((flag) => may.takesRight(flag, false)),
    flags.slice(0, 4),
  )
  assert.deepEqual(
    flags.filter((flag) => may.takesRight(flag, true)),
    [],
  )
})

test('a row of the users screen says which flags may be turned', () => {
  const account = {
    id: 9,
    is_superuser: false,
    is_email_verified: true,
    is_active: true,
    is_admin: false,
    is_staff: true,
    gfa_is_enabled: false,
    email: 'someone@example.org',
  }
  const all = {
    is_active: true,
    is_superuser: false,
    is_admin: true,
    is_staff: true,
    is_email_verified: true,
    gfa_is_enabled: true,
  }
  const none = Object.fromEntries(Object.keys(all).map((flag) => [flag, false]))
  assert.deepEqual(may.listUserRights(superuser, account), all)
  assert.deepEqual(may.listUserRights(superuser, { ...account, is_superuser: true }), { ...all, is_superuser: true })
  assert.deepEqual(may.listUserRights(superuser, { ...account, is_email_verified: false }), {
    ...none,
    is_active: true,
    is_staff: true,
    is_email_verified: true,
  })
  assert.deepEqual(may.listUserRights(admin, account), { ...none, is_staff: true })
  assert.deepEqual(may.listUserRights(staff, account), none)
})
