import { PAGE_SIZE, SEARCH_COUNT_MAX } from '@proofdesk/contract/limits'
import { totalPages, type PageOf, type SearchPageOf } from '@proofdesk/contract/paging'
import { findCut, type PageCut } from '../db/list.ts'
import { AppError } from '../errors.ts'

/**
 * One page of a list, with the addresses of its neighbours.
 * @param address Path and query of the request; everything but `page` is kept.
 * @param list What stands on the page.
 * @throws AppError `page_not_found` past the end; the first page of an empty list is there.
 */
export async function showPage<T>(
  address: string,
  page: number,
  count: number,
  list: (cut: PageCut) => Promise<T[]>,
): Promise<SearchPageOf<T>> {
  if (page > totalPages(count, PAGE_SIZE)) throw new AppError('page_not_found')
  const results = await list(findCut(page, count))
  return {
    count,
    count_capped: false,
    next: page < totalPages(count, PAGE_SIZE) ? toNeighbour(address, 'page', page + 1) : null,
    previous: page > 1 ? toNeighbour(address, 'page', page - 1) : null,
    results,
  }
}

/**
 * The same of what a search has found.
 * @param ids In their order; one more than are counted where there are more.
 * @param list What stands on the page, by ids.
 */
export async function showFound<T>(
  address: string,
  page: number,
  ids: readonly number[],
  list: (ids: readonly number[]) => Promise<T[]>,
): Promise<SearchPageOf<T>> {
  const counted = ids.slice(0, SEARCH_COUNT_MAX)
  const before = (page - 1) * PAGE_SIZE
  const shown = await showPage(address, page, counted.length, () => list(counted.slice(before, before + PAGE_SIZE)))
  return { ...shown, count_capped: ids.length > counted.length }
}

/** A list that comes whole, however long. */
export function toWholeList<T>(results: T[]): PageOf<T> {
  return { count: results.length, next: null, previous: null, results }
}

/** The address of a request with another value for one part of its query. */
export function toNeighbour(address: string, name: string, value: number): string {
  // A proxy may be sent the whole address (RFC 9112 section 3.2.2): where we are is not the caller's to say.
  const [path = '', ...query] = address.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  // A question mark within the query is one of its characters (RFC 3986 section 3.4).
  const parameters = new URLSearchParams(query.join('?'))
  parameters.set(name, String(value))
  return `${path}?${parameters}`
}
