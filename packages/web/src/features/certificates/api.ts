import { listServerContents, showServerContent } from '@proofdesk/contract/certificates'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { markSaidNow } from '../../lib/said-at.ts'
import type { ServerContentListState } from './list-state.ts'

/** A page of certified PDFs; the one before it stays until the new one has come. */
export function useServerContents(viewer: Viewer, { search, page }: ServerContentListState) {
  // Specification section 7: the ordering is sent for staff and superuser; the server's own order is the same.
  const query = {
    page: String(page),
    ...(search.trim() && { search: search.trim() }),
    ...(isReviewer(viewer) && { ordering: '-created_at' as const }),
  }
  return useQuery({
    queryKey: [...QUERY_KEYS.serverContents, query],
    queryFn: async ({ signal }) => markSaidNow(await call(listServerContents, { query }, { signal })),
    placeholderData: keepPreviousData,
  })
}

export function useServerContent(proofid: string) {
  return useQuery({
    queryKey: [...QUERY_KEYS.serverContents, 'one', proofid],
    queryFn: ({ signal }) => call(showServerContent, { query: { collection_proofid: proofid } }, { signal }),
  })
}
