import { expect, test } from 'vitest'
import { clearTurn, markTurn, waitForTurn } from './token-turn.ts'

test('a tab whose storage is behind waits until it shows the mark of the newest token', async () => {
  markTurn()
  const newest = localStorage.getItem('refresh_turn') ?? ''
  localStorage.setItem('refresh_turn', 'the one before')
  let isDone = false
  const waiting = waitForTurn().then(() => (isDone = true))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isDone).toBe(false)
  localStorage.setItem('refresh_turn', newest)
  await waiting
  expect(isDone).toBe(true)
})

test('a tab that is not behind, or in a browser without a session, does not wait', async () => {
  markTurn()
  const start = performance.now()
  await waitForTurn()
  localStorage.clear()
  clearTurn()
  await waitForTurn()
  expect(performance.now() - start).toBeLessThan(50)
})
