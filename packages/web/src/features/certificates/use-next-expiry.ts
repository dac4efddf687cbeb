import type { ServerContent } from '@proofdesk/contract/certificates'
import type { SaidAt } from '../../lib/said-at.ts'
import { useReloadAt } from '../../lib/use-reload-at.ts'

/** The server's second must be over, whatever part of it this device is at. */
const MARGIN_MS = 1000

/** Loads again when the next of these proofs expires. */
export function useNextExpiry(page: SaidAt<{ results: ServerContent[] }> | undefined): void {
  const { results = [], saidAt = 0 } = page ?? {}
  const expiries = results.flatMap(({ is_active: isActive, expire_time: expireTime }) =>
    isActive && expireTime !== null ? [Date.parse(expireTime) + MARGIN_MS] : [],
  )
  // One that is still in force past its time is so by the server's clock, and this device's is ahead.
  useReloadAt(Math.min(...expiries.filter((at) => at > saidAt)))
}
