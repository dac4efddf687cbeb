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
