import { expect, test } from 'vitest'
import { clearTurn, markTurn, readTurnPerson, waitForTurn } from './token-turn.ts'

test('a tab whose storage is behind waits until it shows the mark of the newest token', async () => {
  markTurn(1)
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
  markTurn(1)
  const start = performance.now()
  await waitForTurn()
  localStorage.clear()
  clearTurn()
  await waitForTurn()
  expect(performance.now() - start).toBeLessThan(50)
})

test('the stored mark says whose the token is, its cookie does not', () => {
  const turn = markTurn(42)
  expect(readTurnPerson()).toBe(42)
  expect(readTurnPerson(turn)).toBe(42)
  expect(document.cookie).toContain(`refresh_turn=${turn.split('.')[0]}`)
  expect(document.cookie).not.toContain('.42')
  markTurn(undefined)
  expect(readTurnPerson()).toBeUndefined()
})
