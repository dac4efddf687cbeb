import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { computeHmacSha256 } from './hmac.ts'

test('keys of every length up to a block give the HMAC that node:crypto gives', () => {
  for (let length = 0; length <= 64; length++) {
    const key = Uint8Array.from({ length }, (_, i) => (i * 89 + length) & 0xff)
    const message = Uint8Array.from({ length: 3 * length }, (_, i) => i & 0xff)
    const expected = createHmac('sha256', key).update(message).digest('hex')
    assert.equal(Buffer.from(computeHmacSha256(key, message)).toString('hex'), expected)
  }
})
