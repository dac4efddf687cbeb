import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeLatin1 } from './bytes.ts'
import { findProofText } from './find-proof-text.ts'

const START = 'c2sp.org/tlog-proof@v1\n'
const extra = (json: string) => `extra ${Buffer.from(json).toString('base64')}\n`
const APPROVAL = '"d":[],"e":{"k":"approve","t":1,"v":1}'

test('a file without a proof is just some other file', () => {
  for (const text of ['', 'c', 'text', START.trimEnd(), START.slice(1), 'c'.repeat(100_000)]) {
    assert.equal(findProofText(writeLatin1(text)), 'none')
  }
})

test('a proof is found wherever it is, and the last one counts', () => {
  const ours = START + extra(`{${APPROVAL},"l":1,"v":1}`)
  const newer = START + extra(`{${APPROVAL},"l":2,"v":1}`)
  assert.equal(findProofText(writeLatin1(ours)), 'ours')
  assert.equal(findProofText(writeLatin1(`cc${newer}cc`)), 'newer')
  assert.equal(findProofText(writeLatin1(newer + ours)), 'ours')
  assert.equal(findProofText(writeLatin1(ours + newer)), 'newer')
})

test('14.38 a page that quotes a proof is just some other file, and a document with a page before its header is none', () => {
  const proof = START + extra(`{${APPROVAL},"l":1,"v":1}`)
  for (const start of ['<!doctype html>', '\xef\xbb\xbf<html>', '\r\n <?xml version="1.0"?>'])
    assert.equal(findProofText(writeLatin1(start + proof)), 'none', start)
  assert.equal(findProofText(writeLatin1(`<html>\n%PDF-1.7\n${proof}`)), 'ours')
  assert.equal(findProofText(writeLatin1(`<html>${' '.repeat(1020)}%PDF-1.7\n${proof}`)), 'none')
})

test('a proof that cannot be read is no newer one', () => {
  for (const rest of ['', 'index 0\n', 'extra \n', 'extra !\n', 'extra AAAA', extra('{}'), extra('{"l":"2","v":1}')]) {
    assert.equal(findProofText(writeLatin1(START + rest)), 'ours', rest)
  }
})
