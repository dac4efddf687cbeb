import { showActivity } from '@proofdesk/contract/activity'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** Kept with the collections, so that it follows whenever one of them changes. */
const ACTIVITY_KEY = [...QUERY_KEYS.collections, 'activity'] as const

export function useActivity(collectionId: number) {
  return useQuery({
    queryKey: [...ACTIVITY_KEY, collectionId],
    queryFn: async ({ signal }) => (await call(showActivity, { params: { id: collectionId } }, { signal })).results,
  })
}
