import { showHealth } from '@proofdesk/contract/health'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

/** How often to look again while the screen is in view. */
const POLL_MS = 15_000

export function useHealth() {
  return useQuery({
    queryKey: QUERY_KEYS.health,
    queryFn: ({ signal }) => call(showHealth, {}, { signal }),
    refetchInterval: POLL_MS,
  })
}
