import { listServerContents } from '@proofdesk/contract/certificates'
import { listCollections } from '@proofdesk/contract/collections'
import { listTickets } from '@proofdesk/contract/tickets'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

export function useCollectionTotal(): UseQueryResult<number> {
  return useQuery({
    queryKey: [...QUERY_KEYS.collections, 'total'],
    queryFn: async ({ signal }) => (await call(listCollections, { query: {} }, { signal })).count,
  })
}

export function useServerContentTotal(): UseQueryResult<number> {
  return useQuery({
    queryKey: [...QUERY_KEYS.serverContents, 'total'],
    queryFn: async ({ signal }) => (await call(listServerContents, { query: {} }, { signal })).count,
  })
}

export function useTicketTotal(): UseQueryResult<number> {
  return useQuery({
    queryKey: [...QUERY_KEYS.tickets, 'total'],
    queryFn: async ({ signal }) => (await call(listTickets, { query: {} }, { signal })).count,
  })
}
