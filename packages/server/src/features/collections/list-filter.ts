import type { listCollections as listRoute } from '@proofdesk/contract/collections'
import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { In } from '@proofdesk/contract/route'
import { collectionStatus, type StatusFacts } from '@proofdesk/contract/status'
import { all, nothing, type Condition } from '../../db/list.ts'
import type { Flag } from '../../db/flag.ts'
import { toFacts } from './counts/queries.ts'
import type { Listed } from './list/queries.ts'
import * as is from './status-filter.ts'

/** What a list may be narrowed by, beside a search. */
export type CollectionFilter = Pick<
  In<typeof listRoute, 'query'>,
  'is_active' | 'is_locked' | 'has_proofid' | 'exlude_admin_desc' | 'status'
>

/** What a row `c` fulfils that the filter lets through. */
export function listConditions(filter: CollectionFilter, at: number): Condition[] {
  const conditions: Condition[] = []
  if (filter.is_active !== undefined) conditions.push(filter.is_active ? is.isActive(at) : is.isInactive(at))
  if (filter.is_locked !== undefined) conditions.push(filter.is_locked ? is.isLocked : is.isUnlocked)
  if (filter.has_proofid !== undefined) conditions.push(filter.has_proofid ? is.hasProofId : is.isUncertified)
  if (filter.exlude_admin_desc !== undefined) conditions.push(is.hasOtherDescription(filter.exlude_admin_desc))
  if (filter.status !== undefined) conditions.push(is.hasStatus(filter.status, at))
  return conditions
}

/** Whether the counts that are kept know all that the filter asks for: of descriptions they know the default alone. */
export function isCounted(filter: CollectionFilter): boolean {
  return filter.exlude_admin_desc === undefined || filter.exlude_admin_desc === DEFAULT_ADMIN_DESC
}

/** The same as `listConditions`, of a filter that is counted. */
export function letsThrough(filter: CollectionFilter, facts: StatusFacts): boolean {
  return (
    (filter.is_active ?? facts.is_active) === facts.is_active &&
    (filter.is_locked ?? facts.is_locked) === facts.is_locked &&
    (filter.has_proofid ?? facts.proofid !== null) === (facts.proofid !== null) &&
    (filter.exlude_admin_desc === undefined || facts.admin_desc !== filter.exlude_admin_desc) &&
    (filter.status === undefined || collectionStatus(facts) === filter.status)
  )
}

const FLAGS: Flag[] = [0, 1]
const ALL_FACTS = FLAGS.flatMap((is_locked) =>
  FLAGS.flatMap((has_proofid) =>
    FLAGS.flatMap((is_answered) =>
      [true, false].map((isActive) => toFacts({ is_locked, has_proofid, is_answered }, isActive)),
    ),
  ),
)

/**
 * The same rows in parts that have none in common, and of which an index knows each: a part for each tile that the
 * filter can let rows of through. Without a filter it is one part.
 * @param isThere Whether any row is counted of which these are the facts: of a tile whose many rows are all others, an
 *   index would be read to its end for nothing.
 */
export function splitByTile(
  filter: CollectionFilter,
  at: number,
  isThere: (facts: StatusFacts) => boolean = () => true,
): Pick<Listed, 'parts' | 'few'> {
  const fits = listConditions(filter, at)
  const known = isCounted(filter) ? filter : { ...filter, exlude_admin_desc: undefined }
  if (ALL_FACTS.every((facts) => letsThrough(known, facts))) return { parts: [all(fits)] }
  const parts: Condition[] = []
  let few: Condition | undefined
  for (const [tile, facts] of Map.groupBy(ALL_FACTS, collectionStatus)) {
    const through = facts.filter((one) => letsThrough(known, one))
    if (!through.some(isThere)) continue
    // What stands under the tile need not be asked again.
    const others = known === filter && through.length === facts.length ? [] : fits
    parts.push(all([is.standsUnder(tile), tile === 'expired' ? is.isInactive(at) : is.isActive(at), ...others]))
    if (tile === 'expired') few = all([is.isLate(at), ...others])
  }
  return parts.length === 0 ? { parts: [nothing] } : { parts, few }
}
