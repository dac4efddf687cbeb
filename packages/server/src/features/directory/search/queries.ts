import { SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import type { Order } from '../../../db/list.ts'
import type { Db, Engine } from '../../../db/open.ts'
import { searchIds } from '../../../db/search-index.ts'
import { foldSoughtInBoth } from '../../../db/like-pattern.ts'
import { matchFilter, toOrderExpression, type UserFilter, type UserOrdering } from '../queries.ts'

/**
 * Ids of accounts in an order, at most one more than are counted; who joined last has the highest.
 */
export async function listFoundIds(
  databases: { longReads: Db; engine: Engine },
  filter: UserFilter & { search: string },
  { by, direction }: Order<UserOrdering>,
): Promise<number[]> {
  const sought = foldSoughtInBoth(filter.search).map((text) => ({ place: 't', text }) as const)
  const byJoining = by === 'date_joined' || by === 'id'
  const search = { index: 'user_grams', sought, newestFirst: byJoining && direction === 'desc' } as const
  return searchIds(databases, search, (source, db) =>
    db
      .selectFrom(source.as('f'))
      .crossJoin('users')
      .select('users.id')
      .whereRef('users.id', '=', 'f.id')
      .where(matchFilter(filter))
      .$if(!byJoining, (query) => query.orderBy(toOrderExpression(by, databases.engine), direction))
      .orderBy('f.id', direction)
      .limit(SEARCH_COUNT_MAX + 1)
      .execute(),
  )
}
