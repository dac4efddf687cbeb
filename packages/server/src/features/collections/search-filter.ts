import type { Viewer } from '@proofdesk/contract/permissions'
import { seesAllCollections } from '@proofdesk/contract/permissions'
import { readProofId, readProofIdPiece } from '@proofdesk/proof/proof-id'
import { sql } from 'kysely'
import { toLikePattern } from '../../db/like-pattern.ts'
import { any, type Condition } from '../../db/list.ts'

/**
 * Finds the text in titles and Proof IDs; for those who see everybody's collections in usernames too, and for a
 * superuser in reviewers' names (`users as u` is the owner, `users as r` the reviewer).
 */
export function matchesSearch(text: string, viewer: Viewer): Condition {
  const pattern = toLikePattern(text)
  const conditions: Condition[] = [sql`c.title_key like ${pattern} escape '!'`]
  const proofId = matchesProofId(text)
  if (proofId) conditions.push(proofId)
  if (seesAllCollections(viewer)) conditions.push(sql`u.username_key like ${pattern} escape '!'`)
  if (viewer.is_superuser) conditions.push(sql`r.username_key like ${pattern} escape '!'`)
  return any(conditions)
}

/** A whole Proof ID or a piece of one, read as forgivingly as on the verification page. */
function matchesProofId(text: string): Condition | undefined {
  const whole = readProofId(text)
  if (whole !== undefined) return sql`c.proofid = ${whole}`
  const piece = readProofIdPiece(text)
  return piece === undefined ? undefined : sql`replace(c.proofid, '-', '') like ${`%${piece}%`}`
}
