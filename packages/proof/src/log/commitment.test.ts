import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { makeProofId } from '../proof-id.ts'
import {
  commit,
  computeCommitment,
  digestDisclosure,
  hideFields,
  openCommitment,
  type FieldName,
  type ProofFields,
} from './commitment.ts'

const SEED = Uint8Array.from({ length: 32 }, (_, i) => i * 7)
const FIELDS: ProofFields = {
  pid: makeProofId(SEED),
  doc: [
    { sha256: 'a1'.repeat(32), size: 12_345, type: 'application/pdf' },
    { sha256: 'b2'.repeat(32), size: 0, type: 'image/png' },
  ],
  iat: '2025-11-25T00:00:00Z',
  exp: '2027-11-25T00:00:00Z',
  sub: 'alice',
  col: 'Degree certificate “گواهی”',
  by: 'registrar',
  org: 'Example University',
  note: 'looks good',
  dig: 'c3'.repeat(32),
}
const { commitment, disclosures } = commit(SEED, FIELDS)

test('the commitment is worked out as its description says', () => {
  const names = Object.keys(FIELDS).sort() as FieldName[]
  const expected = names.map((name) => {
    const salt = createHmac('sha256', SEED).update(`salt:${name}`).digest().subarray(0, 16).toString('base64url')
    const value = name === 'doc' ? FIELDS.doc.map(({ sha256, size, type }) => ({ sha256, size, type })) : FIELDS[name]
    return Buffer.from(JSON.stringify([salt, name, value])).toString('base64url')
  })
  assert.deepEqual(disclosures, expected)
  const digests = expected.map((text) => createHash('sha256').update(text).digest('base64url')).sort()
  const whole = createHash('sha256').update(`proofdesk/commit/v1\n${digests.join('\n')}\n`)
  assert.equal(commitment, whole.digest('base64url'))
})

test('shown fields are read, whichever are hidden', () => {
  assert.deepEqual(openCommitment(commitment, disclosures, []), FIELDS)
  for (const hide of [['sub'], ['sub', 'by', 'col'], Object.keys(FIELDS)] as FieldName[][]) {
    const { shown, hidden } = hideFields(disclosures, hide)
    assert.equal(hidden.length, hide.length)
    const left = Object.fromEntries(Object.entries(FIELDS).filter(([name]) => !hide.includes(name as FieldName)))
    assert.deepEqual(openCommitment(commitment, shown, hidden), left)
    assert.deepEqual(openCommitment(commitment, shown.toReversed(), hidden.toReversed()), left)
  }
})

test('a hidden field cannot be found by guessing its value', () => {
  const { hidden } = hideFields(disclosures, ['sub'])
  const guess = Buffer.from(JSON.stringify(['', 'sub', 'alice'])).toString('base64url')
  assert.notEqual(digestDisclosure(guess), hidden[0])
  const other = commit(SEED.with(0, 99), { ...FIELDS, pid: makeProofId(SEED.with(0, 99)) })
  assert.notDeepEqual(hideFields(other.disclosures, ['sub']).hidden, hidden)
})

test('every other set of fields is refused', () => {
  const sub = disclosures.findIndex((text) => Buffer.from(text, 'base64url').includes('"sub"'))
  const forged = Buffer.from(Buffer.from(disclosures[sub]!, 'base64url').toString().replace('alice', 'malory'))
  const all = hideFields(disclosures, Object.keys(FIELDS) as FieldName[]).hidden
  const wrong: [shown: string[], hidden: string[]][] = [
    [[], []],
    [disclosures.slice(1), []],
    [disclosures.with(sub, forged.toString('base64url')), []],
    [disclosures, [all[0]!]],
    [[...disclosures, disclosures[0]!], []],
    [disclosures.slice(1), ['AAAA']],
    [disclosures.slice(1), [`${all[0]!}\n`]],
    [[], [all.join('\n')]],
    [[], all.slice(1)],
    [[], [...all, ...all]],
    [Array.from({ length: 1_000_000 }, () => 'x'), []],
  ]
  for (const [shown, hidden] of wrong) {
    assert.throws(() => openCommitment(commitment, shown, hidden), { name: 'ProofError', code: 'log_commitment' })
  }
  assert.throws(() => openCommitment('', disclosures, []), { code: 'log_commitment' })
})

/** The commitment that hostile code would make to these disclosures. */
function combine(shown: readonly string[]): string {
  const digests = shown.map(digestDisclosure).toSorted()
  return createHash('sha256')
    .update(`proofdesk/commit/v1\n${digests.join('\n')}\n`)
    .digest('base64url')
}

test('a field that was committed to twice, so that each reader is shown another, is refused', () => {
  const salt = Buffer.alloc(16).toString('base64url')
  const second = Buffer.from(`["${salt}","col","Another title"]`).toString('base64url')
  const [first] = disclosures.filter((text) => Buffer.from(text, 'base64url').includes('"col"'))
  const both = [...disclosures, second]
  for (const hidden of [first!, second]) {
    const shown = both.filter((one) => one !== hidden)
    assert.throws(() => openCommitment(combine(both), shown, [digestDisclosure(hidden)]), { code: 'log_commitment' })
  }
})

test('disclosures that no field can have are refused, also where they were committed to', () => {
  const salt = Buffer.alloc(16).toString('base64url')
  const texts = [
    `["${salt}","sub"]`,
    `["${salt}","sub","alice","more"]`,
    `["","sub","alice"]`,
    `["AAAA","sub","alice"]`,
    `[1,"sub","alice"]`,
    `["${salt}","other","alice"]`,
    `["${salt}","__proto__","alice"]`,
    `["${salt}",1,"alice"]`,
    `["${salt}","sub",1]`,
    `["${salt}","sub",null]`,
    `["${salt}", "sub","alice"]`,
    `["${salt}","sub","${'a'.repeat(10_001)}"]`,
    `["${salt}","pid","ABCD"]`,
    `["${salt}","pid","${FIELDS.pid.toLowerCase()}"]`,
    `["${salt}","iat","2025-11-25"]`,
    `["${salt}","iat","2025-02-30T00:00:00Z"]`,
    `["${salt}","iat",null]`,
    `["${salt}","exp","soon"]`,
    `["${salt}","dig","${'C3'.repeat(32)}"]`,
    `["${salt}","doc",[]]`,
    `["${salt}","doc",{}]`,
    `["${salt}","doc",[{"sha256":"${'a1'.repeat(32)}","size":-1,"type":"application/pdf"}]]`,
    `["${salt}","doc",[{"sha256":"${'a1'.repeat(32)}","size":1,"type":"text/html"}]]`,
    `["${salt}","doc",[{"sha256":"${'a1'.repeat(31)}","size":1,"type":"image/png"}]]`,
    `["${salt}","doc",[{"more":1,"sha256":"${'a1'.repeat(32)}","size":1,"type":"image/png"}]]`,
    `["${salt}","doc",[{"sha256":"${'a1'.repeat(32)}","size":1,"type":"image/png"},1]]`,
    '{}',
    '',
  ]
  for (const text of texts) {
    const shown = [Buffer.from(text).toString('base64url')]
    assert.throws(() => openCommitment(combine(shown), shown, []), { name: 'ProofError', code: 'log_commitment' }, text)
  }
  for (const shown of [['\u{1f600}'], ['AB'], ['_w'], ['x '], ['']]) {
    assert.throws(() => openCommitment(combine(shown), shown, []), { name: 'ProofError', code: 'log_commitment' })
  }
  const [first] = disclosures
  for (const [shown, hidden] of [
    [[first!, first!], []],
    [[first!], [digestDisclosure(first!)]],
  ] as const) {
    assert.throws(() => computeCommitment(shown, hidden), { name: 'ProofError', code: 'log_commitment' })
  }
  const twice = ['alice', 'malory'].map((name) => Buffer.from(`["${salt}","sub","${name}"]`).toString('base64url'))
  assert.throws(() => openCommitment(combine(twice), twice, []), { code: 'log_commitment' })
})

test('fields that could not be read again, or of another seed, are not committed to', () => {
  const wrong: Partial<ProofFields>[] = [
    { pid: makeProofId(SEED.with(0, 9)) },
    { doc: [] },
    { iat: '2025-11-25' },
    { exp: '2027-13-25T00:00:00Z' },
    { sub: '\ud800' },
    { dig: 'short' },
  ]
  for (const changes of wrong) {
    assert.throws(() => commit(SEED, { ...FIELDS, ...changes }), { name: 'ProofError', code: 'log_commitment' })
  }
  assert.throws(() => commit(SEED.slice(1), FIELDS), { code: 'log_commitment' })
  const { sub: _sub, ...without } = FIELDS
  assert.throws(() => commit(SEED, without as ProofFields), { code: 'log_commitment' })
})
