import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeProof, type VerdictFacts } from './proof-verdict.ts'

const held: VerdictFacts = { revoked_at: null, expire_time: null, has_collection: true }

test('13.12 of a proof that is known and unaltered, revoked comes before expired, and expired before valid', () => {
  for (const [facts, verdict] of [
    [{}, 'valid'],
    [{ expire_time: 101 }, 'valid'],
    [{ expire_time: 100 }, 'expired'],
    [{ has_collection: false }, 'expired'],
    [{ revoked_at: 50 }, 'revoked'],
    [{ revoked_at: 50, expire_time: 100 }, 'revoked'],
    [{ revoked_at: 50, has_collection: false }, 'revoked'],
  ] as const)
    assert.equal(judgeProof({ ...held, ...facts }, 100), verdict)
})
