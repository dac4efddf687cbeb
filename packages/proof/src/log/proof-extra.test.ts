import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeUtf8 } from '../utf8.ts'
import { formatProofExtra, parseProofExtra, type ProofExtra } from './proof-extra.ts'

const EXTRA: ProofExtra = {
  layout: 1,
  time: 1_764_028_800,
  expiryDay: 20_782,
  disclosures: ['AA'],
  hidden: [],
  anchors: [],
}

test('the extra of a proof file is JSON in its one form, without what is empty', () => {
  const text = (extra: ProofExtra) => Buffer.from(formatProofExtra(extra)).toString()
  assert.equal(text(EXTRA), '{"d":["AA"],"e":{"k":"approve","t":1764028800,"v":1,"x":20782},"l":1,"v":1}')
  const full = { ...EXTRA, expiryDay: null, hidden: ['BB'], anchors: ['rfc3161:AAAA'] }
  assert.equal(
    text(full),
    '{"a":["rfc3161:AAAA"],"d":["AA"],"e":{"k":"approve","t":1764028800,"v":1},"h":["BB"],"l":1,"v":1}',
  )
  for (const extra of [EXTRA, full]) assert.deepEqual(parseProofExtra(formatProofExtra(extra)), extra)
})

test('another version or layout was made by a newer program, which is no fault of the file', () => {
  for (const [from, to] of [
    ['"l":1', '"l":2'],
    ['"v":1}', '"v":2}'],
    ['"l":1,"v":1}', '"l":7,"new":[1],"v":9}'],
  ]) {
    const text = Buffer.from(formatProofExtra(EXTRA)).toString()
    const newer = text.slice(0, -12) + text.slice(-12).replace(from!, to!)
    assert.notEqual(newer, text)
    assert.throws(() => parseProofExtra(writeUtf8(newer)), { name: 'ProofError', code: 'newer' }, newer)
  }
})

test('an extra of any other form is refused', () => {
  const texts = [
    '',
    '[]',
    'null',
    '{}',
    '{"d":[],"e":{"k":"approve","t":1,"v":1},"l":1}',
    '{"d":[],"e":{"k":"approve","t":1,"v":1},"v":1}',
    '{"d":[],"e":{"k":"approve","t":1,"v":1},"l":"1","v":1}',
    '{"d":[1],"e":{"k":"approve","t":1,"v":1},"l":1,"v":1}',
    '{"d":"AA","e":{"k":"approve","t":1,"v":1},"l":1,"v":1}',
    '{"d":[],"e":{"k":"revoke","t":1,"v":1},"l":1,"v":1}',
    '{"d":[],"e":{"k":"approve","t":-1,"v":1},"l":1,"v":1}',
    '{"d":[],"e":{"k":"approve","t":1,"v":2},"l":1,"v":1}',
    '{"d":[],"e":{"k":"approve","t":1,"v":1,"x":null},"l":1,"v":1}',
    '{"d":[],"e":{"c":"AA","k":"approve","t":1,"v":1},"l":1,"v":1}',
    '{"d":[],"e":[],"l":1,"v":1}',
    '{"d":[],"l":1,"v":1}',
    '{"d":[],"e":{"k":"approve","t":1,"v":1},"h":[],"l":1,"v":1}',
    '{"a":[],"d":[],"e":{"k":"approve","t":1,"v":1},"l":1,"v":1}',
    '{"a":["AAAA"],"d":[],"e":{"k":"approve","t":1,"v":1},"l":1,"v":1}',
    '{"d":[],"e":{"k":"approve","t":1,"v":1},"l":1,"v":1,"w":1}',
    '{"d": [],"e":{"k":"approve","t":1,"v":1},"l":1,"v":1}',
    '{"v":1,"d":[],"e":{"k":"approve","t":1,"v":1},"l":1}',
  ]
  for (const text of texts)
    assert.throws(() => parseProofExtra(writeUtf8(text)), { name: 'ProofError', code: 'log_proof' }, text)
  assert.throws(() => parseProofExtra(Uint8Array.of(0xff)), { code: 'log_proof' })
})
