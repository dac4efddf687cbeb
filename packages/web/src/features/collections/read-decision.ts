import type { Collection } from '@proofdesk/contract/collections'
import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'

/**
 * What the reviewer wrote of what the collection is now; null where nobody has decided yet. Of a collection that waits again
 * its description is still the one of the round before.
 */
export function readDecision({ admin_desc: text, is_locked, proofid }: Collection): string | null {
  const waits = is_locked && proofid === null
  return waits || text === DEFAULT_ADMIN_DESC ? null : text
}

/** What a reviewer wrote of the round before; null unless the collection waits again. */
export function readEarlierDecision({ admin_desc: text, is_active, is_locked, proofid }: Collection): string | null {
  return is_active && is_locked && proofid === null && text !== DEFAULT_ADMIN_DESC ? text : null
}
