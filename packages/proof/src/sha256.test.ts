import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { hashSha256 } from './sha256.ts'

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the short examples of NIST hash to their published values', () => {
  const examples: [string, string][] = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
  ]
  for (const [text, expected] of examples) assert.equal(toHex(hashSha256(new TextEncoder().encode(text))), expected)
})

test('every length from 0 to 400 bytes hashes as node:crypto does', () => {
  for (let length = 0; length <= 400; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 167 + length * 31) & 0xff)
    assert.equal(toHex(hashSha256(bytes)), createHash('sha256').update(bytes).digest('hex'), `${length} bytes`)
  }
})

test('a view into a larger buffer hashes its own bytes only', () => {
  const whole = Uint8Array.from({ length: 300 }, (_, i) => i & 0xff)
  const view = whole.subarray(100, 177)
  assert.equal(toHex(hashSha256(view)), createHash('sha256').update(view).digest('hex'))
})
