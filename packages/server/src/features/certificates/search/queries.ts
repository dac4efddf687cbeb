import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import type { Condition, Order } from '../../../db/list.ts'
import type { Db, Engine } from '../../../db/open.ts'
import { searchIds, type Sought } from '../../../db/search-index.ts'

/**
 * Ids of published proofs in an order, at most one more than are counted; the newest are those with the highest ids.
 * @param condition Says exactly what is found, of `p`.
 */
export async function listFoundIds(
  databases: { longReads: Db; engine: Engine },
  sought: readonly Sought[],
  condition: Condition,
  { by, direction }: Order<'created_at' | 'title'>,
): Promise<number[]> {
  const search = { index: 'proof_grams', sought, newestFirst: by === 'created_at' && direction === 'desc' } as const
  return searchIds(databases, search, (source, db) =>
    db
      .selectFrom(source.as('f'))
      .crossJoin('proofs as p')
      .select('p.id')
      .whereRef('p.id', '=', 'f.id')
      .where('p.state', '=', 'published')
      .where(condition)
      .$if(by === 'title', (query) => query.orderBy('p.title_key', direction))
      .orderBy('f.id', direction)
      .limit(SEARCH_COUNT_MAX + 1)
      .execute(),
  )
}
