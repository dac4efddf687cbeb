import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highestRole } from './users.ts'

test('of several roles the highest is named', () => {
  const none = { is_staff: false, is_admin: false, is_superuser: false }
  const all = { is_staff: true, is_admin: true, is_superuser: true }
  assert.equal(highestRole(none), 'user')
  assert.equal(highestRole({ ...none, is_staff: true }), 'staff')
  assert.equal(highestRole({ ...all, is_superuser: false }), 'admin')
  assert.equal(highestRole({ ...none, is_admin: true }), 'admin')
  assert.equal(highestRole(all), 'superuser')
  assert.equal(highestRole({ ...none, is_superuser: true }), 'superuser')
})
