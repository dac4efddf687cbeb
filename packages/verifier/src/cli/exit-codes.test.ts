import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findExitCode, findUnjudgedCode, findUnreadCode } from './exit-codes.ts'

test('15.13 with --strict a valid document ends with 10 where it is unknown whether it was revoked, its time does not fit, or not all of it is shown', () => {
  const unwitnessed = ['not_witnessed', 'time_stated', 'revocation_unknown'] as const
  assert.deepEqual([findExitCode('valid', unwitnessed, true), findExitCode('valid', unwitnessed, false)], [10, 0])
  for (const doubt of ['time_outside', 'fields_hidden'] as const)
    assert.deepEqual([findExitCode('valid', [doubt], true), findExitCode('valid', [doubt], false)], [10, 0])
  assert.equal(findExitCode('valid', ['not_witnessed', 'time_stated'], true), 0)
  assert.equal(findExitCode('revoked', ['revocation_unknown'], true), 6)
})

test('a receipt that this machine cannot judge is unavailable, and only one that does not hold is altered', () => {
  const codes = ['signature', 'log_trust', 'newer', 'unsupported'] as const
  assert.deepEqual(codes.map(findUnjudgedCode), [5, 4, 8, 3])
})

test('14.102 of a log whose head cannot be used nothing is said against it: nobody signed what came', () => {
  const codes = ['log_note', 'log_checkpoint', 'unsupported', 'log_trust', 'log_signature', 'newer'] as const
  assert.deepEqual(codes.map(findUnreadCode), [3, 3, 3, 4, 4, 8])
})
