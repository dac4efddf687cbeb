import type { Step } from '@proofdesk/proof/document-verdict'
import { expect, test } from 'vitest'
import { isInDoubt } from './is-in-doubt.ts'

const NOW = Date.UTC(2027, 0, 1)

function revocation(state: Step['state'], secondsAgo: number, code?: Step['code']): Step {
  return { name: 'revocation', state, ...(code && { code }), details: { asOf: NOW / 1000 - secondsAgo } }
}

test('a list that says revoked is late for two minutes after a reinstatement, and no longer', () => {
  const revoked = (secondsAgo: number) => ({
    verdict: 'revoked' as const,
    steps: [revocation('failed', secondsAgo, 'revoked')],
  })
  expect(isInDoubt(revoked(120), NOW)).toBe(false)
  expect(isInDoubt(revoked(121), NOW)).toBe(true)
})

test('a time that others saw otherwise, a list that is kept back, and a log that contradicts itself are no success', () => {
  const outside: Step = { name: 'time', state: 'failed', code: 'time_outside', details: {} }
  expect(isInDoubt({ verdict: 'valid', steps: [outside, revocation('passed', 60)] }, NOW)).toBe(true)
  for (const code of ['status_replayed', 'log_consistency'] as const)
    expect(isInDoubt({ verdict: 'valid', steps: [revocation('unknown', 60, code)] }, NOW)).toBe(true)
})

test('what nobody vouches for, an old list, and a list of the future by a clock that may be slow, are no doubt', () => {
  const stated: Step = { name: 'time', state: 'unknown', code: 'time_stated', details: {} }
  for (const code of ['status_old', 'status_ahead', 'status_silent'] as const)
    expect(isInDoubt({ verdict: 'valid', steps: [stated, revocation('unknown', 60, code)] }, NOW)).toBe(false)
  expect(isInDoubt({ verdict: 'expired', steps: [revocation('passed', 600_000)] }, NOW)).toBe(false)
})
