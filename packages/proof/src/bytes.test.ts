import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areEqual, compareBytes, fromHex, readLatin1, toHex, writeLatin1 } from './bytes.ts'

const ALL = Uint8Array.from({ length: 256 }, (_, byte) => byte)

test('every byte is written as text and as hex, and read back', () => {
  const text = String.fromCharCode(...ALL)
  assert.equal(readLatin1(ALL), text)
  assert.deepEqual(writeLatin1(text), ALL)
  assert.equal(toHex(ALL), Buffer.from(ALL).toString('hex'))
  assert.deepEqual(fromHex(toHex(ALL)), ALL)
  assert.deepEqual(fromHex(toHex(ALL).toUpperCase()), ALL)
})

test('long text is read whole and from anywhere', () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, i) => (i * 7) & 0xff)
  const text = Buffer.from(bytes).toString('latin1')
  assert.equal(readLatin1(bytes), text)
  for (const [start, end] of [
    [3, 20_000],
    [8191, 8193],
    [0, 16_384],
    [5, 5],
  ] as const)
    assert.equal(readLatin1(bytes, start, end), text.slice(start, end))
  assert.equal(readLatin1(bytes, 199_990, 300_000), text.slice(199_990))
})

test('byte strings are sorted byte by byte, a beginning before the whole', () => {
  const sorted = ['', '00', '0000', '00ff', '01', '0100', '0180', '02', '7f', '80', 'ff', 'ff00'].map(fromHex)
  for (const [i, one] of sorted.entries())
    for (const [j, other] of sorted.entries()) {
      assert.equal(Math.sign(compareBytes(one, other)), Math.sign(i - j), `${toHex(one)} ${toHex(other)}`)
      assert.equal(areEqual(one, other), i === j)
    }
})
