import { renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
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
