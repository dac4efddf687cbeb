import { renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { holdTimers } from '../testing/hold-timers.ts'
import { readAsked } from './ask.ts'
import { makeLateCode, useLateCode } from './late-code.ts'

test('a press between the coming of the code and its being shown is not lost', async () => {
  const code = makeLateCode(() => Promise.resolve('opened'))
  // While a press lasts, what has come is not shown.
  dispatchEvent(new Event('pointerdown'))
  const { result, rerender } = renderHook(({ isWanted }) => useLateCode(code, isWanted), {
    initialProps: { isWanted: false },
  })
  await waitFor(() => expect(code.loaded).toBe('opened'))
  expect(result.current).toBeUndefined()
  rerender({ isWanted: true })
  dispatchEvent(new Event('pointerup'))
  await waitFor(() => expect(result.current).toBe('opened'))
})

test('wanted code that could not be loaded is told of once, and is loaded when the network is back', async () => {
  let isAway = true
  const load = vi.fn(() => (isAway ? Promise.reject(new Error('no network')) : Promise.resolve('opened')))
  const code = makeLateCode(load)
  const { result } = renderHook(() => useLateCode(code, true))
  await waitFor(() => expect(readAsked()?.title).toBe('Something went wrong. Please try refreshing the page.'))
  readAsked()?.answer(true)
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  expect(readAsked()).toBeUndefined()
  isAway = false
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(result.current).toBe('opened'))
})

test('wanted code that could not be loaded is tried again after a while', async () => {
  const timers = holdTimers(5_000)
  const load = vi.fn<() => Promise<string>>().mockResolvedValue('opened').mockRejectedValueOnce(new Error('no network'))
  const code = makeLateCode(load)
  const { result } = renderHook(() => useLateCode(code, true))
  await waitFor(() => expect(timers.held).toHaveLength(1))
  timers.release()
  await waitFor(() => expect(result.current).toBe('opened'))
})
