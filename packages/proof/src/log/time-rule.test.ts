import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFirstSeen, judgeTime } from './time-rule.ts'

const T = 1_764_028_800

test('a time that nobody else saw is the issuer’s word', () => {
  assert.deepEqual(judgeTime(T, []), { kind: 'stated' })
  assert.deepEqual(judgeTime(T, [0]), { kind: 'stated' })
})

test('a time is confirmed from a minute before to a day after, both included', () => {
  for (const late of [-60, 0, 3, 86_400]) {
    assert.deepEqual(judgeTime(T, [T + late]), { kind: 'confirmed', at: T + late })
  }
  for (const late of [-61, 86_401, -365 * 86_400, 365 * 86_400]) {
    assert.deepEqual(judgeTime(T, [T + late]), { kind: 'outside', at: T + late })
  }
})

test('the earliest of several confirmations counts', () => {
  assert.deepEqual(judgeTime(T, [T + 900_000, T + 5, T + 7]), { kind: 'confirmed', at: T + 5 })
  assert.deepEqual(judgeTime(T, [T + 5, T - 900_000]), { kind: 'outside', at: T - 900_000 })
})

test('the first who saw it is the earliest that states a time', () => {
  assert.deepEqual(
    [findFirstSeen([T + 900, 0, T - 61]), findFirstSeen([]), findFirstSeen([0])],
    [T - 61, undefined, undefined],
  )
})
