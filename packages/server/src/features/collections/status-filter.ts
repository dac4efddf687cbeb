import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { CollectionStatus } from '@proofdesk/contract/status'
import { sql, type RawBuilder } from 'kysely'

/** Conditions on a row of `collections as c`. */
export type CollectionCondition = RawBuilder<boolean>

export const isLocked: CollectionCondition = sql`c.is_locked = 1`
export const isUnlocked: CollectionCondition = sql`c.is_locked = 0`
export const hasProofId: CollectionCondition = sql`c.proofid is not null`
export const hasNoProofId: CollectionCondition = sql`c.proofid is null`
export const isUnclaimed: CollectionCondition = sql`c.claim_id is null`

/** False from the very millisecond of `expire_time` on. @param now Milliseconds since 1970-01-01 UTC. */
export function isActive(now: number): CollectionCondition {
  return sql`(c.expire_time is null or c.expire_time > ${now})`
}

export function isInactive(now: number): CollectionCondition {
  return sql`c.expire_time <= ${now}`
}

export function hasDescription(text: string): CollectionCondition {
  return sql`c.admin_desc = ${text}`
}

export function hasOtherDescription(text: string): CollectionCondition {
  return sql`c.admin_desc <> ${text}`
}

/** The same rule as `collectionStatus` of the contract, for a database; a test compares the two. */
export function hasStatus(status: CollectionStatus, now: number): CollectionCondition {
  switch (status) {
    case 'opened':
      return all([isActive(now), hasNoProofId, isUnlocked, hasDescription(DEFAULT_ADMIN_DESC)])
    case 'in_progress':
      return all([isActive(now), hasNoProofId, isLocked])
    case 'answered':
      return all([isActive(now), hasNoProofId, isUnlocked, hasOtherDescription(DEFAULT_ADMIN_DESC)])
    case 'approved':
      return all([isActive(now), hasProofId])
    case 'expired':
      return isInactive(now)
  }
}

/** The owner may change it and its contents: `isOpen` of the contract. */
export function isOpenFor(ownerId: number, now: number): CollectionCondition {
  return all([sql`c.owner_id = ${ownerId}`, isActive(now), isUnlocked, hasNoProofId])
}

/** Waiting for a decision that nobody has claimed: `isReviewable` of the contract, and unclaimed. */
export function isUndecided(now: number): CollectionCondition {
  return all([isActive(now), isLocked, hasNoProofId, isUnclaimed])
}

export function all(conditions: readonly CollectionCondition[]): CollectionCondition {
  return conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`
}

export function any(conditions: readonly CollectionCondition[]): CollectionCondition {
  return sql`(${sql.join(conditions, sql` or `)})`
}
