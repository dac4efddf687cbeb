import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeProofId } from '../proof-id.ts'
import { commitChange, type ChangeFields } from './change-commitment.ts'
import { digestDisclosure } from './commitment.ts'

const seed = new Uint8Array(32).fill(7)
const other = new Uint8Array(32).fill(8)
const fields: ChangeFields = { pid: makeProofId(seed), reason: 'superseded', text: 'A newer one', exp: null }

test('a change commits to each of its fields, and another seed or field is another commitment', () => {
  const { commitment, disclosures } = commitChange(seed, fields)
  assert.match(commitment, /^[\w-]{43}$/)
  assert.equal(disclosures.length, 4)
  const changed = [
    commitChange(other, fields),
    ...(Object.keys(fields) as (keyof ChangeFields)[])
      .filter((name) => name !== 'pid')
      .map((name) => commitChange(seed, { ...fields, [name]: '2099-01-01T00:00:00Z' })),
    commitChange(seed, { ...fields, pid: makeProofId(other) }),
  ]
  assert.equal(new Set([commitment, ...changed.map((one) => one.commitment)]).size, 6)
  assert.deepEqual(commitChange(seed, fields), { commitment, disclosures })
})

test('what is written about a change is not found out from its commitment and its public reason', () => {
  const { disclosures } = commitChange(seed, fields)
  const texts = disclosures.map(
    (disclosure) => JSON.parse(Buffer.from(disclosure, 'base64url').toString()) as unknown[],
  )
  assert.deepEqual(
    texts.map(([, name]) => name),
    ['exp', 'pid', 'reason', 'text'],
  )
  const salts = texts.map(([salt]) => salt)
  assert.equal(new Set(salts).size, 4)
  assert.equal(new Set(disclosures.map(digestDisclosure)).size, 4)
})

test('a seed or a Proof ID that is none is refused', () => {
  assert.throws(() => commitChange(seed.slice(1), fields), { code: 'log_commitment' })
  assert.throws(() => commitChange(seed, { ...fields, pid: 'ABC' }), { code: 'log_commitment' })
  assert.throws(() => commitChange(seed, { ...fields, text: '\ud800' }), { code: 'log_commitment' })
})
