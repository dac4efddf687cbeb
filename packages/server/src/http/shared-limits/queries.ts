import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Limit } from '../limit.ts'

/** What is counted, under a key that nobody can read. */
export interface SharedCount {
  key: string
  limit: Limit
  points: number
}

/** How a count stands, milliseconds of the database's clock. */
export interface Standing {
  now: number
  failures: number
  in_flight: number
  ends_at: number
  looks_again_at: number
}

/** The one clock of all processes; it stands still within a statement. */
const NOW = sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`
/** An attempt takes seconds at most. What is older was being looked at by a process that is gone. */
const LOST_AFTER_MS = 2 * 60_000
const FAILURES = sql<number>`(case when had.ends_at <= ${NOW} then 0 else had.failures end)`
const IN_FLIGHT = sql<number>`(case when had.taken_at <= ${NOW} - ${sql.lit(LOST_AFTER_MS)} then 0 else had.in_flight end)`

const toEnd = ({ duration }: Limit) => sql<number>`${NOW} + ${duration * 1000}::bigint`
/** The time of a limit runs from its first failure. */
const endsAt = (limit: Limit) => sql<number>`case when ${FAILURES} = 0 then ${toEnd(limit)} else had.ends_at end`

/** @returns false when there is no place now: that of `findStanding` says until when */
export async function takePlace(db: Db, { key, limit, points }: SharedCount): Promise<boolean> {
  const everyMs = (limit.thenEvery ?? 0) * 1000
  const { rows } =
    await sql`insert into limit_counts as had (key, failures, in_flight, taken_at, ends_at, looks_again_at)
      values (${key}, 0, 1, ${NOW}, 0, ${NOW} + ${everyMs}::bigint)
      on conflict (key) do update set failures = ${FAILURES}, in_flight = ${IN_FLIGHT} + 1, taken_at = excluded.taken_at,
        looks_again_at = excluded.looks_again_at
      where case when ${FAILURES} < ${points} then ${FAILURES} + ${IN_FLIGHT} < ${points}
        else ${everyMs}::bigint > 0 and ${IN_FLIGHT} = 0 and ${NOW} >= least(had.looks_again_at, had.ends_at) end
      returning key`.execute(db)
  return rows.length > 0
}

export async function leavePlace(db: Db, { key, limit }: SharedCount, hasFailed: boolean): Promise<void> {
  const counting = hasFailed ? sql`, failures = ${FAILURES} + 1, ends_at = ${endsAt(limit)}` : sql``
  await sql`update limit_counts as had set in_flight = greatest(had.in_flight - 1, 0)${counting}
    where key = ${key}`.execute(db)
}

/** Counts one that is not looked at first. @returns how many that makes; undefined when it was used up, and is not counted */
export async function addCount(
  db: Db,
  { key, limit, points }: SharedCount,
  isBounded: boolean,
): Promise<number | undefined> {
  const { rows } = await sql<{
    failures: number
  }>`insert into limit_counts as had (key, failures, in_flight, taken_at, ends_at, looks_again_at)
      values (${key}, 1, 0, 0, ${toEnd(limit)}, 0)
      on conflict (key) do update set failures = ${FAILURES} + 1, ends_at = ${endsAt(limit)}
      ${isBounded ? sql`where ${FAILURES} < ${points}` : sql``}
      returning failures`.execute(db)
  return rows[0]?.failures
}

export async function takeCountBack(db: Db, { key }: SharedCount): Promise<void> {
  await sql`update limit_counts set failures = greatest(failures - 1, 0) where key = ${key}`.execute(db)
}

/** @returns undefined for what was never counted */
export async function findStanding(db: Db, { key }: SharedCount): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`select ${NOW} as now, ${FAILURES} as failures, ${IN_FLIGHT} as in_flight,
    had.ends_at, had.looks_again_at from limit_counts as had where key = ${key}`.execute(db)
  return rows[0]
}

/**
 * Forgets what has run out.
 * @scans: each hour, what was counted since.
 */
export async function deleteOldCounts(db: Db): Promise<void> {
  await sql`delete from limit_counts where ends_at <= ${NOW} and taken_at <= ${NOW} - ${sql.lit(LOST_AFTER_MS)}`.execute(
    db,
  )
}
