import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLatin1, writeLatin1 } from '../bytes.ts'
import { sha256Hex } from '../testing/write-revision0.ts'
import { measureToContents, renderSeal, type SealParts } from './render.ts'
import type { Revision0Facts } from './scan.ts'

const FACTS: Revision0Facts = {
  layout: 1,
  sizeBytes: 123_456,
  xrefKind: 'table',
  xrefOffset: 120_000,
  size: 15,
  catalog: 1,
  info: 5,
  id: '00112233445566778899aabbccddeeff',
  acroForm: 6,
  field: 7,
  signatureSlot: 8,
  proofSlot: 13,
  dssSlot: 14,
}
const PARTS: SealParts = {
  proof: null,
  signedAt: 'D:20260102030405Z',
  contentsHex: '00'.repeat(16),
  revision0Sha256: '0123456789abcdef'.repeat(4),
}
const PROOF = writeLatin1('c2sp.org/tlog-proof@v1\nexample\n')

const render = (facts: Partial<Revision0Facts>, parts: Partial<SealParts> = {}) =>
  renderSeal({ ...FACTS, ...facts }, { ...PARTS, ...parts })

/** Forms of the sealing update, and how their bytes hash. */
const FORMS: [what: string, facts: Partial<Revision0Facts>, parts: Partial<SealParts>, hash: string][] = [
  ['a table', {}, {}, '74873816da3eb1fa'],
  ['a table, with a proof', {}, { proof: PROOF }, '3ba62ef2e9783fb0'],
  ['a table, slots side by side', { proofSlot: 9 }, { proof: PROOF }, '988869188490f836'],
  ['a table, the proof first', { proofSlot: 7, signatureSlot: 8 }, { proof: PROOF }, '6b66f744df8ec0f0'],
  ['a table, no information', { info: null }, {}, '66f170170b0e998e'],
  ['a stream', { xrefKind: 'stream' }, {}, 'e67086e77c68ac37'],
  ['a stream, with a proof', { xrefKind: 'stream' }, { proof: PROOF }, 'cb933e51a8ea7786'],
  [
    'a stream, all side by side',
    { xrefKind: 'stream', signatureSlot: 14, dssSlot: 8 },
    { proof: PROOF },
    '8e6f51fbadb1b71a',
  ],
]

for (const [what, facts, parts, hash] of FORMS)
  test(`layout 1 is frozen, sealed files are judged by it: ${what}`, () => {
    assert.equal(sha256Hex(render(facts, parts).bytes).slice(0, 16), hash)
  })

test('a cross-reference stream has room for offsets of five bytes', () => {
  const { bytes } = render({ xrefKind: 'stream', sizeBytes: 0x01_02_03_04_f5 }, { proof: PROOF })
  assert.ok(readLatin1(bytes).includes('\u0001\u0001\u0002\u0003\u0004\u00f5\0'))
})

const MAX_CONTENTS_BYTES = 65_536
const MAX_PROOF_BYTES = 9_999_999

test('the longest proof and the longest signature fit, and nothing longer', () => {
  const longest = { proof: new Uint8Array(MAX_PROOF_BYTES), contentsHex: '00'.repeat(MAX_CONTENTS_BYTES) }
  const { bytes, end, gap } = render({}, longest)
  assert.equal(end, FACTS.sizeBytes + bytes.length)
  assert.equal(gap[1] - gap[0], 2 * MAX_CONTENTS_BYTES + 2)
  for (const part of [
    { proof: new Uint8Array(MAX_PROOF_BYTES + 1) },
    { proof: new Uint8Array() },
    { contentsHex: '00'.repeat(MAX_CONTENTS_BYTES + 1) },
    { contentsHex: '' },
  ])
    assert.throws(() => render({}, part), { name: 'ProofError', code: 'seal' })
})

test('/Contents is found where the update has it', () => {
  const { bytes, gap } = render({})
  assert.equal(measureToContents(FACTS, PARTS.signedAt), gap[0] + 1 - FACTS.sizeBytes)
  assert.equal(readLatin1(bytes).indexOf(`<${PARTS.contentsHex}>`), gap[0] - FACTS.sizeBytes)
})
