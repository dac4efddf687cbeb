import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { useGateway } from '../../testing/gateway.ts'
import { useRealServer } from '../../testing/real-server.ts'
import { signIn } from '../../testing/sign-in.ts'
import { useCollections } from './api.ts'
import { readListState } from './list-state.ts'

test('while another page loads, the time of the rows that still stand is known', async () => {
  const server = await useRealServer()
  await server.createUser({ username: 'ada' })
  await signIn('ada')
  const gateway = await useGateway()
  const state = readListState(new URLSearchParams())
  const { result, rerender } = renderHook(({ search }) => useCollections({ ...state, search }, true), {
    initialProps: { search: '' },
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  await waitFor(() => expect(result.current.data?.saidAt).toBeGreaterThan(0))
  const saidAt = result.current.data?.saidAt
  gateway.trouble('GET /collections/', 'late')
  rerender({ search: 'degree' })
  expect(result.current).toMatchObject({ isPlaceholderData: true, data: { saidAt } })
})
