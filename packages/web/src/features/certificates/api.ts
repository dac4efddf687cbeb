import { listServerContents } from '@proofdesk/contract/certificates'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** A page of certified PDFs; the one before it stays until the new one has come. @param page counts from 1 */
export function useServerContents(viewer: Viewer, page: number) {
  // Specification section 7: the ordering is sent for staff and superuser; the server's own order is the same.
  const query = { page: String(page), ...(isReviewer(viewer) && { ordering: '-created_at' as const }) }
  return useQuery({
    queryKey: [...QUERY_KEYS.serverContents, query],
    queryFn: ({ signal }) => call(listServerContents, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}
