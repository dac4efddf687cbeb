import { seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import { readProofId, readProofIdPiece } from '@proofdesk/proof/proof-id'
import { sql } from 'kysely'
import { foldSought, toLikePattern } from '../../db/like-pattern.ts'
import { any, everything, type Condition } from '../../db/list.ts'
import type { Sought } from '../../db/search-index.ts'

// Conditions on a row of `proofs as p`.

/** Everyone's for those who see all collections, one's own for all others. */
export function isVisibleTo(viewer: Viewer): Condition {
  return seesAllCollections(viewer) ? everything : sql`p.owner_id = ${viewer.id}`
}

/** Finds the text in titles and Proof IDs, and for those who see everybody's in the names of owner and reviewer too. */
export function matchesSearch(text: string, viewer: Viewer): Condition {
  const pattern = toLikePattern(text)
  const conditions: Condition[] = [sql`p.title_key like ${pattern} escape '!'`]
  const whole = readProofId(text)
  const piece = readProofIdPiece(text)
  if (whole !== undefined) conditions.push(sql`p.proofid = ${whole}`)
  else if (piece !== undefined) conditions.push(sql`replace(p.proofid, '-', '') like ${`%${piece}%`}`)
  if (seesAllCollections(viewer)) {
    conditions.push(
      sql`exists (select 1 from users as u where u.id in (p.owner_id, p.reviewer_id)
        and u.username_key like ${pattern} escape '!')`,
    )
  }
  return any(conditions)
}

/** Where the text may stand for those who see everybody's, for the index of parts of words. */
export function listSought(text: string): Sought[] {
  const proofId = readProofId(text)?.replaceAll('-', '') ?? readProofIdPiece(text)
  return [
    { place: 't', text: foldSought(text) },
    ...(proofId === undefined ? [] : [{ place: 'p', text: proofId } as const]),
  ]
}
