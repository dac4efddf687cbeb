import { listCollections } from '@proofdesk/contract/collections'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

const SHOWN = 7

/** The newest collections that match a text, among those the person sees; nothing is asked for without one. */
export function useTitleSearch(search: string, enabled: boolean) {
  return useQuery({
    queryKey: [...QUERY_KEYS.collections, 'title-search', search],
    queryFn: async ({ signal }) =>
      (await call(listCollections, { query: { search } }, { signal })).results.slice(0, SHOWN),
    placeholderData: keepPreviousData,
    enabled: enabled && search !== '',
  })
}
