import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const TRIES_WITHOUT_ANSWER = 2

/** A refusal stays one however often it is asked; only a missing answer or a server's fault is tried again. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) =>
          failures < TRIES_WITHOUT_ANSWER && !(error instanceof ApiError && error.status < 500),
      },
    },
  })
}
