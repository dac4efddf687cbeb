import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { QUERY_KEYS } from './query-keys.ts'

/** What says of approvals whether they are in force. */
const OF_APPROVALS = [QUERY_KEYS.collections, QUERY_KEYS.contents, QUERY_KEYS.serverContents]
/** A timer cannot run longer; such a page will have been loaded again long before. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Loads what is shown of approvals again when the next of them expires, since its status changes at that very second.
 * @param at When that is, in milliseconds since 1970-01-01 UTC by this device's clock; Infinity where none does.
 */
export function useReloadAt(at: number): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const wait = at - Date.now()
    if (wait > LONGEST_TIMER_MS) return
    const timer = setTimeout(() => {
      for (const queryKey of OF_APPROVALS) void queryClient.invalidateQueries({ queryKey })
    }, wait)
    return () => clearTimeout(timer)
  }, [at, queryClient])
}
