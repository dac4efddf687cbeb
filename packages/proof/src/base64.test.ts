import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBase64, fromBase64Url, fromLooseBase64, toBase64, toBase64Url } from './base64.ts'

test('bytes of every length and value are written as Node writes them, and read back', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 0xff)
    assert.equal(toBase64(bytes), Buffer.from(bytes).toString('base64'))
    assert.equal(toBase64Url(bytes), Buffer.from(bytes).toString('base64url'))
    assert.deepEqual(fromBase64(toBase64(bytes)), bytes)
    assert.deepEqual(fromBase64Url(toBase64Url(bytes)), bytes)
  }
})

test('base 64 that could be written otherwise is refused', () => {
  for (const text of [
    'A',
    'AA',
    'AAA',
    'AA=',
    'AA===',
    'AB==',
    'AAB=',
    'AA==AAAA',
    'AA==\n',
    ' AAAA',
    'AA-_',
    'AAAA====',
    '=',
  ]) {
    assert.equal(fromBase64(text), undefined, JSON.stringify(text))
  }
})

test('base64url with padding, unused bits, or letters of the other alphabet is refused', () => {
  for (const text of ['A', 'AB', 'AAB', 'AA==', 'AAA=', 'AA+/', 'AAAAA', 'AA\n', 'AA ']) {
    assert.equal(fromBase64Url(text), undefined, JSON.stringify(text))
  }
})

test('unused bits are let pass only where that was asked for', () => {
  assert.deepEqual(fromLooseBase64('AB=='), Uint8Array.of(0))
  assert.deepEqual(fromLooseBase64('AAB='), Uint8Array.of(0, 0))
  for (const text of ['A', 'AA', 'AA=', 'A===', 'AA==AAAA', 'AA==\n', 'AA-_'])
    assert.equal(fromLooseBase64(text), undefined)
})
