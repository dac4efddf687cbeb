import { DEFAULT_ADMIN_DESC } from '@proofdesk/contract/limits'
import type { CollectionStatus, StatusFacts } from '@proofdesk/contract/status'
import { sql } from 'kysely'
import { compileOnce } from '../../../db/compile-once.ts'
import type { Flag } from '../../../db/flag.ts'
import type { Condition } from '../../../db/list.ts'
import type { Db, Engine } from '../../../db/open.ts'
import { hasStatus, isLate } from '../status-filter.ts'

/** How many of everyone's collections are alike in all that lists are filtered by. */
export interface StateCount {
  facts: StatusFacts
  /** Negative where it takes back what another one counts. */
  amount: number
}

const HAS_PROOFID = sql<Flag>`case when c.proofid is null then 0 else 1 end`
const IS_ANSWERED = sql<Flag>`case when c.admin_desc = ${sql.lit(DEFAULT_ADMIN_DESC)} then 0 else 1 end`

const countStored = compileOnce((db, { now }: { now: number }) =>
  db
    .selectFrom('collection_counts')
    .select(['is_locked', 'has_proofid', 'is_answered', 'lapsed'])
    .select([sql<number>`cast(sum(amount) as bigint)`.as('amount'), sql<Flag>`0`.as('is_late')])
    .groupBy(['is_locked', 'has_proofid', 'is_answered', 'lapsed'])
    .unionAll((eb) =>
      eb
        .selectFrom('collections as c')
        .select(['c.is_locked', HAS_PROOFID.as('has_proofid'), IS_ANSWERED.as('is_answered'), 'c.lapsed'])
        .select([sql<number>`count(*)`.as('amount'), sql<Flag>`1`.as('is_late')])
        .where(isLate(now))
        .groupBy(['c.is_locked', HAS_PROOFID, IS_ANSWERED, 'c.lapsed']),
    ),
)

/**
 * Exact at every millisecond: what the database counts as it is stored, and of that what has expired since it was last
 * looked after. One statement, so that both are of one moment.
 */
export async function countStates(db: Db, now: number): Promise<StateCount[]> {
  const rows = await countStored(db, { now })
  return rows.flatMap(({ is_late: isLateOnes, amount, lapsed, ...state }) => {
    const facts = toFacts(state, lapsed === 0)
    if (isLateOnes === 0) return [{ facts, amount }]
    return [
      { facts, amount: -amount },
      { facts: { ...facts, is_active: false }, amount },
    ]
  })
}

/** A description stands for all that are the default, or are not; a Proof ID for all. */
export function toFacts(
  state: { is_locked: Flag; has_proofid: Flag; is_answered: Flag },
  isStillActive: boolean,
): StatusFacts {
  return {
    is_active: isStillActive,
    is_locked: state.is_locked === 1,
    proofid: state.has_proofid === 1 ? 'a Proof ID' : null,
    admin_desc: state.is_answered === 1 ? `not ${DEFAULT_ADMIN_DESC}` : DEFAULT_ADMIN_DESC,
  }
}

export type StatusCounts = Record<CollectionStatus | 'all', number>

/** Of somebody's own; everyone's are counted by `countStates`. */
export async function countByStatus(db: Db, ownerId: number, now: number): Promise<StatusCounts> {
  const having = (status: CollectionStatus) => sql<number>`count(*) filter (where ${hasStatus(status, now)})`
  const counts = await db
    .selectFrom('collections as c')
    .select([
      having('opened').as('opened'),
      having('in_progress').as('in_progress'),
      having('answered').as('answered'),
      having('approved').as('approved'),
      having('expired').as('expired'),
      sql<number>`count(*)`.as('all'),
    ])
    .where('c.owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return counts
}

/** So many take a few milliseconds, in which nobody else writes an SQLite file. */
const MARKED_AT_ONCE = 50

export async function hasSome(db: Db, condition: Condition): Promise<boolean> {
  const row = await db.selectFrom('collections as c').select('c.id').where(condition).limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Turns the mark of some. What another process holds is left for the next time.
 * @returns whether there may be more
 */
export async function turnMarks(
  { db, engine }: { db: Db; engine: Engine },
  lapsed: Flag,
  condition: Condition,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('collections')
    .set({ lapsed })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('collections as c')
        .select('c.id')
        .where(condition)
        .limit(sql.lit(MARKED_AT_ONCE))
        .$if(engine === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows === BigInt(MARKED_AT_ONCE)
}
