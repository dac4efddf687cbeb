import { expect, test } from 'vitest'
import { ApiError, NetworkError } from './api-error.ts'
import { queryClient } from './query-client.ts'

const refusal = (status: number, code: 'read_timed_out' | 'database_unavailable' | 'not_found') =>
  new ApiError(status, { code, detail: 'Some words.' })

test('12.6 what took too long is not asked for again by itself, what is away is', () => {
  const retry = queryClient.getDefaultOptions().queries?.retry
  if (typeof retry !== 'function') throw new Error('it depends on the failure')
  expect(retry(0, refusal(503, 'read_timed_out'))).toBe(false)
  expect(retry(0, refusal(404, 'not_found'))).toBe(false)
  expect(retry(0, refusal(503, 'database_unavailable'))).toBe(true)
  expect(retry(0, new NetworkError('no answer'))).toBe(true)
})
