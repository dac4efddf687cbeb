import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { watchPerson } from './session.ts'

const TRIES_WITHOUT_ANSWER = 2

/**
 * A refusal stays one however often it is asked, and what took too long takes as long again; only a missing answer or a
 * server's fault is tried again.
 */
function isFinal(error: Error): boolean {
  return error instanceof ApiError && (error.status < 500 || error.body.code === 'read_timed_out')
}

/** Answers kept for the signed-in person. Screens for everyone ask with `call` alone: there is no provider for guests. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // A browser that thinks it is offline may still reach a server on the same machine or network; otherwise calls would
    // wait without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (failures, error) => failures < TRIES_WITHOUT_ANSWER && !isFinal(error),
    },
  },
})

// Nothing one person was shown stays for the next one in the same tab.
watchPerson(() => queryClient.clear())
