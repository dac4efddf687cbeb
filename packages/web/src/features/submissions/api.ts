import { listSubmissions } from '@proofdesk/contract/submissions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** Kept with the collections, so that it follows whenever one of them changes. */
const SUBMISSIONS_KEY = [...QUERY_KEYS.collections, 'submissions'] as const

/** A page of the rounds of a collection, newest first. */
export function useSubmissions(collectionId: number, page: number) {
  return useQuery({
    queryKey: [...SUBMISSIONS_KEY, collectionId, page],
    queryFn: ({ signal }) => call(listSubmissions, { params: { id: collectionId }, query: { page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
