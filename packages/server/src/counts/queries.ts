import { sql } from 'kysely'
import { claimFact, findFact, replaceFact } from '../db/instance.ts'
import type { Db, Engine } from '../db/open.ts'

/** Tables whose rows are counted by their state, with the words that make a row's state (migration 0023). */
export const COUNTED = {
  collections: {
    counts: 'collection_counts',
    state: {
      is_locked: 'is_locked',
      has_proofid: 'case when proofid is null then 0 else 1 end',
      is_answered: "case when admin_desc = 'Admin Not approve yet' then 0 else 1 end",
      lapsed: 'lapsed',
    },
  },
  proofs: { counts: 'proof_counts', state: { state: 'state' } },
  tickets: { counts: 'ticket_counts', state: { is_locked: 'is_locked', status: 'status' } },
  users: { counts: 'user_counts', state: { is_admin: 'is_admin', is_staff: 'is_staff' } },
} as const satisfies Record<string, { counts: string; state: Record<string, string> }>

export type CountedTable = keyof typeof COUNTED

/** How many rows are in a state, by the columns of the counts in their order. */
export interface Amount {
  state: (string | number)[]
  amount: number
}

const namesOf = (table: CountedTable) => sql.join(Object.keys(COUNTED[table].state).map((name) => sql.ref(name)))
const wordsOf = (table: CountedTable) =>
  sql.join(Object.entries(COUNTED[table].state).map(([name, words]) => sql`${sql.raw(words)} as ${sql.ref(name)}`))

function toAmount(table: CountedTable, row: Record<string, string | number> & { amount: number }): Amount {
  return { state: Object.keys(COUNTED[table].state).map((name) => row[name] ?? ''), amount: row.amount }
}

export async function listCounts(db: Db, table: CountedTable): Promise<Amount[]> {
  const names = namesOf(table)
  const { rows } = await sql<{ amount: number }>`select ${names}, cast(sum(amount) as bigint) as amount
    from ${sql.table(COUNTED[table].counts)} group by ${names}`.execute(db)
  return rows.map((row) => toAmount(table, row))
}

/** About how many rows the largest of the counted tables has. */
export async function findHighestId(db: Db): Promise<number> {
  const highest = (Object.keys(COUNTED) as CountedTable[]).map(
    (table) => sql`(select max(id) from ${sql.table(table)}) as ${sql.ref(table)}`,
  )
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(highest)}`.execute(db)
  return Math.max(0, ...Object.values(rows[0] ?? {}).map(Number))
}

/**
 * Counts the rows themselves, some of them.
 * @param after The id behind which it begins.
 * @param most How many it looks at.
 * @returns what it counted, and the last id it looked at; undefined when there are no more
 */
export async function countSlice(
  db: Db,
  table: CountedTable,
  after: number,
  most: number,
): Promise<{ amounts: Amount[]; last: number } | undefined> {
  const { rows } = await sql<{
    amount: number
    last: number
  }>`select ${namesOf(table)}, count(*) as amount, max(id) as last
    from (select id, ${wordsOf(table)} from ${sql.table(table)} where id > ${after} order by id limit ${most}) as slice
    group by ${namesOf(table)}`.execute(db)
  if (rows.length === 0) return undefined
  return { amounts: rows.map((row) => toAmount(table, row)), last: Math.max(...rows.map(({ last }) => last)) }
}

/** Counts how often counts were mended. */
const MENDED = 'counts_mended'

export async function findMended(db: Db): Promise<string | undefined> {
  return findFact(db, MENDED)
}

/**
 * Adds what counts lack; in a transaction. What was counted while they were compared is in both, so it may be added later.
 * @param mended As it was when they were compared: of several who found the same, one mends.
 * @returns false when somebody else has mended since
 */
export async function addToCounts(
  { transaction, engine }: { transaction: Db; engine: Engine },
  mended: string | undefined,
  lacking: readonly (Amount & { table: CountedTable })[],
): Promise<boolean> {
  const isFirst =
    mended === undefined
      ? await claimFact(transaction, MENDED, '1')
      : await replaceFact(transaction, MENDED, mended, String(Number(mended) + 1))
  if (!isFirst) return false
  for (const { table, state, amount } of lacking) {
    const names = namesOf(table)
    const onConflict = sql`on conflict (${names}) do update set amount = amount + excluded.amount`
    await sql`insert into ${sql.table(COUNTED[table].counts)} (${names}, amount)
      values (${sql.join([...state, amount])}) ${engine === 'sqlite' ? onConflict : sql``}`.execute(transaction)
  }
  return true
}

/** More than any number of states. */
const ROWS_TO_FOLD = 50
/** So many take a few milliseconds. */
const FOLDED_AT_ONCE = 10_000

/**
 * On PostgreSQL: makes of many rows of a state one. What another process folds is left to it, and what is added meanwhile
 * stays as it is, so that nobody waits for anybody.
 * @returns whether there may be more to do
 */
export async function foldCounts(db: Db, table: CountedTable): Promise<boolean> {
  const { counts } = COUNTED[table]
  const { rows: many } = await sql`select 1 from ${sql.table(counts)} offset ${ROWS_TO_FOLD} limit 1`.execute(db)
  if (many.length === 0) return false
  const names = namesOf(table)
  const { rows } = await sql<{ taken: number }>`with taken as (
      delete from ${sql.table(counts)} where ctid = any(array(
        select ctid from ${sql.table(counts)} limit ${FOLDED_AT_ONCE} for update skip locked))
      returning *),
    folded as (insert into ${sql.table(counts)} (${names}, amount)
      select ${names}, sum(amount) from taken group by ${names} having sum(amount) <> 0)
    select count(*) as taken from taken`.execute(db)
  return rows[0]?.taken === FOLDED_AT_ONCE
}
