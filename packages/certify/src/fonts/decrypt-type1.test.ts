import assert from 'node:assert/strict'
import test from 'node:test'
import { decryptType1 } from './decrypt-type1.ts'

/** The other way round (Adobe Type 1 Font Format, section 7.1). */
function encrypt(text: string, first = 0x72): Buffer {
  let key = 55_665
  const bytes = Buffer.from(`${String.fromCharCode(first)}and${text}`, 'latin1').map((byte) => {
    const cipher = byte ^ (key >> 8)
    key = ((cipher + key) * 52_845 + 22_719) & 0xffff
    return cipher
  })
  return Buffer.from(bytes)
}

const PRIVATE = 'dup /Private 8 dict dup begin /CharStrings 2 dict dup begin /uni0049 9 RD end'

test('names of glyphs are found in programs of Type 1, written as bytes or as digits', () => {
  const head = Buffer.from('%!PS-AdobeFont-1.0\ncurrentfile eexec\n')
  const secret = encrypt(PRIVATE)
  assert.equal(decryptType1(Buffer.concat([head, secret])).toString('latin1'), PRIVATE)
  const digits = secret.toString('hex').replaceAll(/.{64}/g, '$&\n')
  assert.equal(decryptType1(Buffer.concat([head, Buffer.from(digits)])).toString('latin1'), PRIVATE)
})

test('a byte that only looks like a blank is of the cipher', () => {
  for (const first of [0xa0, 0x0b, 0x0c]) {
    // the first byte of the cipher is what stands in its place, turned by the first key
    const secret = encrypt(PRIVATE, first ^ (55_665 >> 8))
    assert.equal(secret[0], first)
    assert.equal(decryptType1(Buffer.concat([Buffer.from('eexec '), secret])).toString('latin1'), PRIVATE)
  }
})

test('what is no program of Type 1 has nothing to decrypt', () => {
  assert.equal(decryptType1(Buffer.from('OTTO')).length, 0)
  assert.equal(decryptType1(Buffer.from('currentfile eexec')).length, 0)
})
