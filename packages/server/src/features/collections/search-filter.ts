import type { Viewer } from '@proofdesk/contract/permissions'
import { seesAllCollections } from '@proofdesk/contract/permissions'
import { readProofId, readProofIdPiece } from '@proofdesk/proof/proof-id'
import { sql } from 'kysely'
import { foldSought, toLikePattern } from '../../db/like-pattern.ts'
import { any, type Condition } from '../../db/list.ts'
import type { Sought } from '../../db/search-index.ts'

/**
 * Finds the text in titles and Proof IDs; for those who see everybody's collections in usernames too, and for a
 * superuser in reviewers' names. Whose title has it is not looked up any further.
 */
export function matchesSearch(text: string, viewer: Viewer): Condition {
  const pattern = toLikePattern(text)
  const conditions: Condition[] = [sql`c.title_key like ${pattern} escape '!'`]
  const proofId = matchesProofId(text)
  if (proofId) conditions.push(proofId)
  if (seesAllCollections(viewer)) conditions.push(sql`${nameOf('owner_id')} like ${pattern} escape '!'`)
  if (viewer.is_superuser) conditions.push(sql`${nameOf('reviewer_id')} like ${pattern} escape '!'`)
  return any(conditions)
}

const nameOf = (person: 'owner_id' | 'reviewer_id') =>
  sql`(select u.username_key from users as u where u.id = ${sql.ref(`c.${person}`)})`

/** Where the text may stand for somebody who sees everybody's collections, for the index of parts of words. */
export function listSought(text: string, viewer: Viewer): Sought[] {
  const folded = foldSought(text)
  const proofId = readProofId(text)?.replaceAll('-', '') ?? readProofIdPiece(text)
  return [
    { place: 't', text: folded },
    ...(viewer.is_superuser ? [{ place: 'r', text: folded } as const] : []),
    ...(proofId === undefined ? [] : [{ place: 'p', text: proofId } as const]),
  ]
}

/** A whole Proof ID or a piece of one, read as forgivingly as on the verification page. */
function matchesProofId(text: string): Condition | undefined {
  const whole = readProofId(text)
  if (whole !== undefined) return sql`c.proofid = ${whole}`
  const piece = readProofIdPiece(text)
  return piece === undefined ? undefined : sql`replace(c.proofid, '-', '') like ${`%${piece}%`}`
}
