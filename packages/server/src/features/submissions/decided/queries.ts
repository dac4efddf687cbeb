import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import { sortByIds } from '../../../db/list.ts'
import type { Db } from '../../../db/open.ts'

/** Outcomes that are decisions; a file that was deleted while it waited is none. */
const DECISIONS = ['approved', 'rejected', 'withdrawn'] as const

export interface Decided {
  id: number
  collection: number
  title: string
  username: string
  submission: number
  outcome: (typeof DECISIONS)[number]
  /** Milliseconds since 1970-01-01 UTC. */
  decided_at: number
}

/** The newest of what somebody has decided; at most one more than are counted, so that it takes no longer however many there are. */
export async function listDecidedIds(db: Db, reviewerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('id')
    .where('reviewer_id', '=', reviewerId)
    .where('outcome', 'in', DECISIONS)
    .orderBy('decided_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SEARCH_COUNT_MAX + 1)
    .execute()
  return rows.map(({ id }) => id)
}

/** What was decided on these submissions, in their order. */
export async function listDecidedByIds(db: Db, ids: readonly number[]): Promise<Decided[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('submissions')
    .select(['id', 'collection_id as collection', 'title', 'username', 'number as submission'])
    .select((eb) => [
      eb.ref('outcome').$castTo<(typeof DECISIONS)[number]>().as('outcome'),
      eb.ref('decided_at').$castTo<number>().as('decided_at'),
    ])
    .where('id', 'in', ids)
    .execute()
  return sortByIds(rows, ids)
}
