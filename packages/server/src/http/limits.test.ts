import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { nameClient, openLimits } from './limits.ts'

test('one IPv6 customer is one client, whatever the notation', () => {
  const same = [
    '2001:db8:1:2::1',
    '2001:0db8:0001:0002:ffff:ffff:ffff:ffff',
    '2001:DB8:1:2:3::',
    '2001:db8:1:2::1%eth0',
  ]
  assert.deepEqual(new Set(same.map(nameClient)), new Set(['2001:db8:1:2::/64']))
  assert.notEqual(nameClient('2001:db8:1:3::1'), nameClient('2001:db8:1:2::1'))
  assert.equal(nameClient('::1'), '0:0:0:0::/64')
  assert.equal(nameClient('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(nameClient('192.0.2.7'), '192.0.2.7')
  assert.equal(nameClient('nonsense'), 'unknown')
})

test('limits', async (t) => {
  await t.test('a forgiven attempt does not count, a refused one neither', async () => {
    const limits = openLimits()
    for (let i = 0; i < 30; i++) await (await limits.attempt({ name: 'verification_mail', key: 'a' })).forgive()
    for (let i = 0; i < 5; i++) await limits.attempt({ name: 'verification_mail', key: 'a' })
    for (let i = 0; i < 3; i++) {
      await assert.rejects(limits.attempt({ name: 'verification_mail', key: 'a' }), (error) => {
        assert.ok(error instanceof AppError)
        assert.equal(error.code, 'rate_limited')
        assert.ok(error.retryAfterSeconds && error.retryAfterSeconds <= 3600 && error.retryAfterSeconds > 3500)
        return true
      })
    }
    await limits.attempt({ name: 'verification_mail', key: 'b' })
  })

  await t.test('an attempt that one limit refuses counts under none', async () => {
    const limits = openLimits()
    for (let i = 0; i < 60; i++) await limits.attempt({ name: 'proof_miss_address', key: 'a' })
    for (let i = 0; i < 300; i++) {
      await assert.rejects(
        limits.attempt({ name: 'proof_miss_proof_id', key: 'p' }, { name: 'proof_miss_address', key: 'a' }),
      )
    }
    await limits.attempt({ name: 'proof_miss_proof_id', key: 'p' }, { name: 'proof_miss_address', key: 'b' })
  })
})
