import type { Collection } from '@proofdesk/contract/collections'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

const SECOND_MS = 1000
/** What says of an approval whether it is in force. */
const OF_APPROVALS = [QUERY_KEYS.collections, QUERY_KEYS.contents, QUERY_KEYS.serverContents]
/** A timer cannot run longer; such a page will have been loaded again long before. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Loads again when the next of these approvals expires, since its status changes at that very second.
 * @param saidAt When they came, in milliseconds since 1970-01-01 UTC by this device's clock.
 */
export function useExpiryReload(collections: Collection[] | undefined, saidAt: number): void {
  const queryClient = useQueryClient()
  const next = Math.min(...(collections ?? []).filter(({ is_active: isActive }) => isActive).map(secondsLeft))
  useEffect(() => {
    const wait = saidAt + (next + 1) * SECOND_MS - Date.now()
    if (wait > LONGEST_TIMER_MS) return
    const timer = setTimeout(() => {
      for (const queryKey of OF_APPROVALS) void queryClient.invalidateQueries({ queryKey })
    }, wait)
    return () => clearTimeout(timer)
  }, [next, saidAt, queryClient])
}

function secondsLeft(collection: Collection): number {
  return collection.remaining_approval_time ?? Infinity
}
