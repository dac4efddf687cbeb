import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coversLock } from './install.mjs'

const LOCK = {
  '': { version: '0.1.0' },
  'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
  'node_modules/sharp-for-another-machine': { version: '1.0.0', integrity: 'sha512-b', optional: true },
}

test('packages that stand there as the lock names them are not installed again', () => {
  assert.equal(coversLock({ 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' } }, LOCK), true)
})

test('a package that is missing, older or other than the lock says is installed', () => {
  assert.equal(coversLock({}, LOCK), false)
  assert.equal(coversLock({ 'node_modules/zod': { version: '4.6.6', integrity: 'sha512-a' } }, LOCK), false)
  assert.equal(coversLock({ 'node_modules/zod': { version: '4.6.7', integrity: 'sha512-x' } }, LOCK), false)
})

test('an optional package counts as soon as it is there', () => {
  const zod = { version: '4.6.7', integrity: 'sha512-a' }
  const other = { version: '0.9.0', integrity: 'sha512-b' }
  assert.equal(coversLock({ 'node_modules/zod': zod, 'node_modules/sharp-for-another-machine': other }, LOCK), false)
})
