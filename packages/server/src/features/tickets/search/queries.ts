import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import type { Condition, Order } from '../../../db/list.ts'
import type { Db, Engine } from '../../../db/open.ts'
import { searchIds, type Sought } from '../../../db/search-index.ts'
import { ORDER_EXPRESSIONS, type TicketOrdering } from '../queries.ts'

/**
 * Ids in an order, at most one more than are counted; the newest are those with the highest ids.
 * @param condition Says exactly what is found, of `t`, its asker `u` and its answerer `r`.
 */
export async function listFoundIds(
  databases: { longReads: Db; engine: Engine },
  sought: readonly Sought[],
  condition: Condition,
  { by, direction }: Order<TicketOrdering>,
): Promise<number[]> {
  const search = { index: 'ticket_grams', sought, newestFirst: by === 'created_at' && direction === 'desc' } as const
  return searchIds(databases, search, (source, db) =>
    db
      .selectFrom(source.as('f'))
      .crossJoin('tickets as t')
      .leftJoin('users as u', 'u.id', 't.owner_id')
      .leftJoin('users as r', 'r.id', 't.admin_id')
      .select('t.id')
      .whereRef('t.id', '=', 'f.id')
      .where(condition)
      .$if(by !== 'created_at', (query) => query.orderBy(ORDER_EXPRESSIONS[by], direction))
      .orderBy('f.id', direction)
      .limit(SEARCH_COUNT_MAX + 1)
      .execute(),
  )
}
