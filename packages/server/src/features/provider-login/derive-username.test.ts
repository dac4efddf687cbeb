import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Username } from '@proofdesk/contract/fields'
import { deriveUsername } from './derive-username.ts'

test('a username comes from the address, without what names may not have', () => {
  const cases: [string, string][] = [
    ['ada@example.org', 'ada'],
    ['ada.lovelace+proofs@example.org', 'ada.lovelace'],
    ["o'brien!{x}@example.org", 'obrienx'],
    ['ａｄａ@example.org', 'ada'],
    ['+tag@example.org', 'user'],
    ['***@example.org', 'user'],
    ['żółć@example.org', 'żółć'],
    [`${'x'.repeat(200)}@example.org`, 'x'.repeat(100)],
  ]
  for (const [email, username] of cases) assert.equal(deriveUsername(email, 0), username)
})

test('further tries add a number and stay within the rule for names', () => {
  for (const tries of [1, 2, 5, 50]) {
    assert.match(deriveUsername('ada@example.org', tries), /^ada-\d+$/)
    assert.ok(Username.safeParse(deriveUsername(`${'x'.repeat(200)}@example.org`, tries)).success)
  }
})
