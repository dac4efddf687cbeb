import type { ServerContent } from '@proofdesk/contract/certificates'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useNextExpiry } from './use-next-expiry.ts'

/** @param after Milliseconds from the answer to the expiry. @returns what asks how often was loaded again */
function follow(after: number) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  const reload = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
  const saidAt = Date.now()
  const proof = { is_active: true, expire_time: new Date(saidAt + after).toISOString() } as ServerContent
  const lasting = { is_active: true, expire_time: null } as ServerContent
  const page = { results: [lasting, proof], saidAt }
  renderHook(() => useNextExpiry(page), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  return () => reload.mock.calls.length
}

test('the list of certified PDFs is loaded again once one of them expires', () => {
  const countReloads = follow(60_000)
  vi.advanceTimersByTime(60_000)
  expect(countReloads()).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(countReloads()).toBeGreaterThan(0)
})

test('a proof that has expired by this device’s clock alone is not asked for again and again', () => {
  const countReloads = follow(-60_000)
  vi.advanceTimersByTime(60_000)
  expect(countReloads()).toBe(0)
})
