import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canManageUsers, whyNotSetUserFlag, type AccountFacts, type Viewer } from './permissions.ts'
import { setUserFlag, UserFlag } from './directory.ts'
import { makeViewer } from './testing/make-viewer.ts'

const person = (facts: Partial<Viewer> = {}) => ({ ...makeViewer(facts), email: 'someone@example.org' })
const superuser = person({ is_superuser: true })
const admin = person({ is_admin: true })
const user = person({ id: 2 })
const unverified = person({ id: 2, is_email_verified: false })

function listAllowed(viewer: Viewer, account: AccountFacts, value: boolean): UserFlag[] {
  return UserFlag.options.filter((flag) => !whyNotSetUserFlag(viewer, account, flag, value))
}

test('a superuser sets all five flags of verified accounts, of an unverified one only is_email_verified', () => {
  for (const value of [true, false]) assert.deepEqual(listAllowed(superuser, user, value), UserFlag.options)
  assert.deepEqual(listAllowed(superuser, unverified, true), ['is_email_verified'])
})

test('a superuser takes every right away, whatever the state of the e-mail', () => {
  assert.deepEqual(listAllowed(superuser, unverified, false), [
    'is_active',
    'is_email_verified',
    'is_admin',
    'is_staff',
  ])
  for (const account of [user, unverified]) {
    assert.equal(whyNotSetUserFlag(superuser, account, 'is_superuser', false), undefined)
    assert.equal(whyNotSetUserFlag(superuser, account, 'is_superuser', true), 'forbidden')
  }
  assert.equal(whyNotSetUserFlag(superuser, superuser, 'is_superuser', false), 'own_account_superuser')
  assert.equal(whyNotSetUserFlag(admin, { ...superuser, id: 2 }, 'is_superuser', false), 'forbidden')
})

test('of an erased account nobody sets anything', () => {
  const erased = { ...unverified, email: '' }
  for (const value of [true, false]) {
    assert.deepEqual(listAllowed(superuser, erased, value), [])
    assert.deepEqual(listAllowed(admin, { ...user, email: '' }, value), [])
  }
})

test('nobody takes away their own active flag, or says that their own e-mail is not verified', () => {
  assert.equal(whyNotSetUserFlag(superuser, superuser, 'is_email_verified', false), 'own_account_email')
  assert.equal(whyNotSetUserFlag(superuser, { ...superuser, id: 2 }, 'is_email_verified', false), undefined)
  assert.equal(whyNotSetUserFlag(superuser, superuser, 'is_active', false), 'own_account_active')
  for (const value of [true, false])
    assert.equal(whyNotSetUserFlag(superuser, superuser, 'gfa_is_enabled', value), 'own_account_two_factor')
  assert.equal(whyNotSetUserFlag(superuser, superuser, 'is_active', true), undefined)
  assert.equal(whyNotSetUserFlag(superuser, { ...superuser, id: 2 }, 'is_active', false), undefined)
})

test('an admin sets is_staff of verified accounts, not their own and not a superuser’s, and nothing else', () => {
  for (const value of [true, false]) {
    assert.deepEqual(listAllowed(admin, user, value), ['is_staff'])
    for (const account of [unverified, admin, { ...superuser, id: 2 }])
      assert.deepEqual(listAllowed(admin, account, value), [])
  }
})

test('who is both admin and superuser has the rights of a superuser', () => {
  assert.deepEqual(listAllowed({ ...superuser, is_admin: true }, user, true), UserFlag.options)
})

test('staff, users and everyone without a verified e-mail set nothing', () => {
  for (const viewer of [person({ is_staff: true }), person(), { ...superuser, is_email_verified: false }])
    assert.deepEqual(listAllowed(viewer, user, true), [])
})

test('the list of users is for admins and superusers with a verified e-mail', () => {
  for (const viewer of [superuser, admin]) assert.equal(canManageUsers({ ...viewer, is_email_verified: false }), false)
  const allowed = [superuser, admin, person({ is_staff: true }), person()].map(canManageUsers)
  assert.deepEqual(allowed, [true, true, false, false])
})

test('a change names exactly one flag', () => {
  assert.deepEqual(setUserFlag.body.parse({ is_staff: false }), { flag: 'is_staff', value: false })
  for (const body of [{}, { is_staff: true, is_admin: true }, { is_staff: null }, { is_staff: 'true' }, null])
    assert.equal(setUserFlag.body.safeParse(body).success, false, JSON.stringify(body))
})
