import type { Collection } from '@proofdesk/contract/collections'
import { useReloadAt } from '../../lib/use-reload-at.ts'

const SECOND_MS = 1000

/**
 * Loads again when the next of these approvals expires.
 * @param saidAt When they came, in milliseconds since 1970-01-01 UTC by this device's clock.
 */
export function useExpiryReload(collections: Collection[] | undefined, saidAt: number): void {
  const next = Math.min(...(collections ?? []).filter(({ is_active: isActive }) => isActive).map(secondsLeft))
  useReloadAt(saidAt + (next + 1) * SECOND_MS)
}

function secondsLeft(collection: Collection): number {
  return collection.remaining_approval_time ?? Infinity
}
