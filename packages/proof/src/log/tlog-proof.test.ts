import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLogVectors } from '../testing/log-vectors.ts'
import { writeUtf8 } from '../utf8.ts'
import { formatTlogProof, parseTlogProof } from './tlog-proof.ts'
import { EMPTY_ROOT } from './tree.ts'

const HASH = `${Buffer.from(EMPTY_ROOT).toString('base64')}\n`
const HEAD = 'c2sp.org/tlog-proof@v1\n'
const read = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

testLogVectors('proof files are written and read as elsewhere', ({ tlog_proof_format }) => {
  for (const { index, hashes, extra_utf8, checkpoint, text } of tlog_proof_format.marshal) {
    const extra = extra_utf8 === undefined ? {} : { extra: writeUtf8(extra_utf8) }
    const proof = { index, path: hashes.map(read), checkpoint, ...extra }
    assert.equal(formatTlogProof(proof), text)
    assert.deepEqual(parseTlogProof(text), proof)
  }
})

testLogVectors('proof files that others refuse are refused', ({ tlog_proof_format }) => {
  for (const text of tlog_proof_format.reject) {
    assert.throws(() => parseTlogProof(text), { name: 'ProofError', code: 'log_proof' }, text)
  }
})

test('the longest path and an empty extra are read', () => {
  const proof = { index: 2 ** 53 - 1, path: Array.from({ length: 53 }, () => EMPTY_ROOT), checkpoint: 'any\n' }
  assert.deepEqual(parseTlogProof(formatTlogProof({ ...proof, extra: new Uint8Array() })).extra, new Uint8Array())
  assert.deepEqual(parseTlogProof(formatTlogProof(proof)), proof)
})

test('text that is no proof file is refused', () => {
  const texts = [
    '',
    HEAD,
    `${HEAD}index 0\n`,
    `${HEAD}index 0\n\n`,
    `${HEAD}index 0\n\nno newline`,
    `${HEAD}index 0\n${HASH}`,
    `${HEAD}index 0\n${HASH}checkpoint\n`,
    `${HEAD}index 00\n\ncheckpoint\n`,
    `${HEAD}index +1\n\ncheckpoint\n`,
    `${HEAD}index 1 \n\ncheckpoint\n`,
    `${HEAD}index 9007199254740992\n\ncheckpoint\n`,
    `${HEAD}index\n\ncheckpoint\n`,
    `${HEAD}\nindex 0\n\ncheckpoint\n`,
    `${HEAD}index 0\nextra AAAA\n\ncheckpoint\n`,
    `${HEAD}extra AAAA\nextra AAAA\nindex 0\n\ncheckpoint\n`,
    `${HEAD}extra AAA\nindex 0\n\ncheckpoint\n`,
    `${HEAD}extra AB==\nindex 0\n\ncheckpoint\n`,
    `${HEAD}extra  AAAA\nindex 0\n\ncheckpoint\n`,
    `${HEAD.replace('\n', '\r\n')}index 0\n\ncheckpoint\n`,
    ` ${HEAD}index 0\n\ncheckpoint\n`,
    `${HEAD.replace('v1', 'v2')}index 0\n\ncheckpoint\n`,
    `${HEAD}index 0\n${HASH.repeat(54)}\ncheckpoint\n`,
    `${HEAD}index 0\n${HASH.slice(4)}\ncheckpoint\n`,
    `${HEAD}index 0\n\n${'x'.repeat(10_000_000)}\n`,
  ]
  for (const text of texts) {
    assert.throws(() => parseTlogProof(text), { name: 'ProofError', code: 'log_proof' }, text.slice(0, 99))
  }
})

test('what could not be read again is not written', () => {
  const proof = { index: 0, path: [], checkpoint: 'any\n' }
  for (const changes of [{ index: -1 }, { index: 0.5 }, { path: [new Uint8Array(31)] }, { checkpoint: 'any' }]) {
    assert.throws(() => formatTlogProof({ ...proof, ...changes }), { name: 'ProofError', code: 'log_proof' })
  }
})
