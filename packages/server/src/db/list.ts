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

/** Where a page lies in a list. It is read from the end that it is nearer to, so that the rows counted off are at most half. */
export interface PageCut {
  /** Rows counted off. */
  offset: number
  size: number
  isFromEnd: boolean
}

/** @param page From 1. @param count Of the whole list. */
export function findCut(page: number, count: number): PageCut {
  const before = (page - 1) * PAGE_SIZE
  const size = Math.min(PAGE_SIZE, count - before)
  const after = count - before - size
  // The first page is asked for in its own order: what has been added since it was counted belongs to it.
  if (before <= after) return { offset: before, size: PAGE_SIZE, isFromEnd: false }
  return { offset: after, size, isFromEnd: true }
}

/** In which direction the rows of a page are read. */
export function readingDirection(direction: 'asc' | 'desc', { isFromEnd }: PageCut): 'asc' | 'desc' {
  return isFromEnd === (direction === 'asc') ? 'desc' : 'asc'
}

/** One page; ties by id. Its rows stand as they are read: `inOrder` sets them right. */
export function cutPage(by: Expression<unknown>, id: string, direction: 'asc' | 'desc', cut: PageCut) {
  const read = readingDirection(direction, cut)
  return <Tables, From extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, From, Row>) =>
    query.orderBy(by, read).orderBy(sql.ref(id), read).limit(cut.size).offset(cut.offset)
}

/** The rows of a page in the order of the list. */
export function inOrder<Row>(rows: Row[], { isFromEnd }: PageCut): Row[] {
  return isFromEnd ? rows.toReversed() : rows
}

/** So many rows are counted off in no time. */
const NEAR_ROWS = 1000

/** Where a page is read: far from both ends of a list the rows before it are counted off, beside what others wait for. */
export function chooseReads<Reads>(
  { reads, longReads }: { reads: Reads; longReads: Reads },
  { offset }: PageCut,
): Reads {
  return offset > NEAR_ROWS ? longReads : reads
}

/** Rows in the order of their ids; one that has gone meanwhile is left out. */
export function sortByIds<T extends { id: number }>(rows: readonly T[], ids: readonly number[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
