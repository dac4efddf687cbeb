import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import { sortByIds, type Condition, type Order } from '../../../db/list.ts'
import type { Db, Engine } from '../../../db/open.ts'
import { searchIds, type Sought } from '../../../db/search-index.ts'
import {
  ORDER_EXPRESSIONS,
  selectCollections,
  toRecord,
  type CollectionOrdering,
  type CollectionRecord,
} from '../queries.ts'

/**
 * Ids in an order, at most one more than are counted; the newest are those with the highest ids, so that of a frequent
 * text only the end of the index is read.
 * @param condition Says exactly what is found, of `c`.
 */
export async function listFoundIds(
  databases: { longReads: Db; engine: Engine },
  sought: readonly Sought[],
  condition: Condition,
  { by, direction }: Order<CollectionOrdering>,
): Promise<number[]> {
  const search = {
    index: 'collection_grams',
    sought,
    newestFirst: by === 'created_at' && direction === 'desc',
  } as const
  return searchIds(databases, search, (source, db) =>
    db
      .selectFrom(source.as('f'))
      .crossJoin('collections as c')
      .select('c.id')
      .whereRef('c.id', '=', 'f.id')
      .where(condition)
      .$if(by !== 'created_at', (query) => query.orderBy(ORDER_EXPRESSIONS[by], direction))
      .orderBy('f.id', direction)
      .limit(SEARCH_COUNT_MAX + 1)
      .execute(),
  )
}

/** Those that are still there, in the order of their ids. */
export async function listByIds(db: Db, ids: readonly number[], now: number): Promise<CollectionRecord[]> {
  if (ids.length === 0) return []
  const rows = await selectCollections(db).where('c.id', 'in', ids).execute()
  return sortByIds(
    rows.map((row) => toRecord(row, now)),
    ids,
  )
}
