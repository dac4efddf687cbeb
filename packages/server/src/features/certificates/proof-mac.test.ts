import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecretBox } from '../../secrets/secret-box.ts'
import { macClaim, macSeal } from './proof-mac.ts'

const DECIDED = {
  proofid: '7Q3K9ZB4M0XTC8VN5',
  owner_id: 1,
  reviewer_id: 2,
  title: 'Lease agreement',
  username: 'ada',
  reviewer_username: 'sam',
  admin_desc: 'All seen',
  approved_at: 1_764_028_800_000,
  expire_time: null,
  seed: 'c2VlZA',
  revision0_sha256: 'ab'.repeat(32),
  revision0_size: 12_345,
  revision0_facts: '{}',
  pages: 3,
}

test('the MACs of a claim and of a seal are those that earlier versions wrote', () => {
  const secrets = openSecretBox(new Uint8Array(32).fill(7))
  const claim = macClaim(secrets, { ...DECIDED, collection_id: 4, revision0_key: 'revisions/1' })
  const seal = macSeal(secrets, {
    ...DECIDED,
    sealed_key: 'certified/1',
    sealed_sha256: 'cd'.repeat(32),
    sealed_size: 23_456,
  })
  assert.deepEqual(
    [claim, seal],
    ['un9BV_i5IGjVM1W99KyM1Sp9o6R_PKm0IEnak9xvSEA', 'HY9XHrqejos_bnHq-pkwd9Y3fKm20VgxPAlNqAiV0Rg'],
  )
})

test('each field that was decided is in both MACs', () => {
  const secrets = openSecretBox(new Uint8Array(32).fill(7))
  const macs = (decided: typeof DECIDED): string[] => [
    macClaim(secrets, { ...decided, collection_id: 4, revision0_key: 'revisions/1' }),
    macSeal(secrets, { ...decided, sealed_key: 'certified/1', sealed_sha256: 'cd'.repeat(32), sealed_size: 23_456 }),
  ]
  const [claim, seal] = macs(DECIDED)
  for (const name of Object.keys(DECIDED)) {
    const [otherClaim, otherSeal] = macs({ ...DECIDED, [name]: 'other' })
    assert.ok(otherClaim !== claim && otherSeal !== seal, name)
  }
})
