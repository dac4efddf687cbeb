import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import { seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import type { CollectionStatus } from '@proofdesk/contract/status'
import { sql } from 'kysely'
import { all, everything, type Condition } from '../../db/list.ts'

// Conditions on a row of `collections as c`.

/** Everyone's for those who see all, one's own for all others. */
export function isVisibleTo(viewer: Viewer): Condition {
  return seesAllCollections(viewer) ? everything : ownedBy(viewer.id)
}

export function ownedBy(userId: number): Condition {
  return sql`c.owner_id = ${userId}`
}

export const isLocked: Condition = sql`c.is_locked = 1`
export const isUnlocked: Condition = sql`c.is_locked = 0`
export const hasProofId: Condition = sql`c.proofid is not null`
export const hasNoProofId: Condition = sql`c.proofid is null`
/**
 * The same for lists. SQLite takes the unique index of Proof IDs for a way to one row, and reads every undecided
 * collection there is; these words keep it from that.
 */
export const isUncertified: Condition = sql`(c.proofid is null) is true`
export const isUnclaimed: Condition = sql`c.claim_id is null`

/** False from the very millisecond of `expire_time` on. @param now Milliseconds since 1970-01-01 UTC. */
export function isActive(now: number): Condition {
  return sql`(c.expire_time is null or c.expire_time > ${now})`
}

export function isInactive(now: number): Condition {
  return sql`c.expire_time <= ${now}`
}

function hasDescription(text: string): Condition {
  return sql`c.admin_desc = ${text}`
}

export function hasOtherDescription(text: string): Condition {
  return sql`c.admin_desc <> ${text}`
}

/** The same rule as `collectionStatus` of the contract, for a database; a test compares the two. */
export function hasStatus(status: CollectionStatus, now: number): Condition {
  switch (status) {
    case 'opened':
      return all([isActive(now), isUncertified, isUnlocked, hasDescription(DEFAULT_ADMIN_DESC)])
    case 'in_progress':
      return all([isActive(now), isUncertified, isLocked])
    case 'answered':
      return all([isActive(now), isUncertified, isUnlocked, hasOtherDescription(DEFAULT_ADMIN_DESC)])
    case 'approved':
      return all([isActive(now), hasProofId])
    case 'expired':
      return isInactive(now)
  }
}

/**
 * Stands under a tile by what is stored: the words of the indexes `collections_of_tile_…`, which are no use to others. One
 * that has expired stands there until it is marked so: `isActive` or `isLate` beside it tells.
 */
export function standsUnder(tile: CollectionStatus): Condition {
  return sql`(case when c.lapsed = 1 then 'expired' when c.proofid is not null then 'approved'
    when c.is_locked = 1 then 'in_progress' when c.admin_desc = ${sql.lit(DEFAULT_ADMIN_DESC)} then 'opened'
    else 'answered' end) = ${sql.lit(tile)}`
}

/**
 * When a row `c` expires; the time of one that is marked is negative. The words of the index `collections_due`, and of
 * PostgreSQL's idea of how few are meant by what follows.
 */
const DUE = sql`(case when c.lapsed = 0 then c.expire_time else -c.expire_time end)`

/** Has expired and is not marked so yet: few, and soon none. */
export function isLate(now: number): Condition {
  return sql`(c.expire_time is not null and ${DUE} > 0 and ${DUE} <= ${now})`
}

/** Is marked as expired and has not; since the clock was set back. */
export function isEarly(now: number): Condition {
  return sql`(c.expire_time is not null and ${DUE} < ${-now})`
}

/** The owner may change it and its contents: `isOpen` of the contract. */
export function isOpenFor(ownerId: number, now: number): Condition {
  return all([sql`c.owner_id = ${ownerId}`, isActive(now), isUnlocked, hasNoProofId])
}

/** Waiting for a decision that nobody has claimed: `isReviewable` of the contract, and unclaimed. */
export function isUndecided(now: number): Condition {
  return all([isActive(now), isLocked, hasNoProofId, isUnclaimed])
}
