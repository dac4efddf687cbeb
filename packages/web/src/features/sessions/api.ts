import { endOneSession, endOtherSessions, listSessions } from '@proofdesk/contract/sessions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'

export function useSessions() {
  return useQuery({
    queryKey: QUERY_KEYS.sessions,
    queryFn: ({ signal }) => call(listSessions, {}, { signal }),
  })
}

export function useEndSession() {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (id: number) => call(endOneSession, { params: { id } }),
    // One that is gone already was out of date here.
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions }),
  })
}

export function useEndOtherSessions() {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: () => call(endOtherSessions, { body: {} }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.sessions }),
  })
}
