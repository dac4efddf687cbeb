import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely'

/** A condition on the rows of a list. */
export type Condition = RawBuilder<boolean>

export const everything: Condition = sql`1 = 1`
export const nothing: Condition = sql`1 = 0`

export function all(conditions: readonly Condition[]): Condition {
  const narrowing = conditions.filter((condition) => condition !== everything)
  return narrowing.length === 0 ? everything : sql`(${sql.join(narrowing, sql` and `)})`
}

export function any(conditions: readonly Condition[]): Condition {
  return sql`(${sql.join(conditions, sql` or `)})`
}

export interface Order<By extends string> {
  by: By
  direction: 'asc' | 'desc'
}

/** @param ordering As callers write it: a leading minus for descending. */
export function toOrder<By extends string>(ordering: By | `-${By}`): Order<By> {
  const isDescending = ordering.startsWith('-')
  return { by: (isDescending ? ordering.slice(1) : ordering) as By, direction: isDescending ? 'desc' : 'asc' }
}

/** One page in an order; ties by id. */
export function cutPage(by: Expression<unknown>, id: string, direction: 'asc' | 'desc', offset: number) {
  return <Tables, From extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, From, Row>) =>
    query.orderBy(by, direction).orderBy(sql.ref(id), direction).limit(PAGE_SIZE).offset(offset)
}

/** So many rows are counted off in no time. */
const NEAR_ROWS = 1000

/** Where a page is read: far down a list the rows before it are counted off, beside what others wait for. */
export function chooseReads<Reads>({ reads, longReads }: { reads: Reads; longReads: Reads }, offset: number): Reads {
  return offset > NEAR_ROWS ? longReads : reads
}

/** Rows in the order of their ids; one that has gone meanwhile is left out. */
export function sortByIds<T extends { id: number }>(rows: readonly T[], ids: readonly number[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
