import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitTurn } from './one-a-turn.ts'

test('12.5 of lists that are asked for at once each begins in a turn of its own, in their order, and others are answered in between', async () => {
  const began: number[] = []
  let turn = 0
  const count = () => {
    turn += 1
    if (began.length < 5) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([1, 2, 3, 4, 5].map((one) => awaitTurn().then(() => began.push(one * 100 + turn))))
  const turns = began.map((one) => one % 100)
  assert.deepEqual(
    began.map((one) => Math.floor(one / 100)),
    [1, 2, 3, 4, 5],
  )
  assert.equal(new Set(turns).size, 5, turns.join())
  await awaitTurn()
})
