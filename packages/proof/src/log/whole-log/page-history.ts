import { SECONDS_PER_DAY } from '../statements.ts'
import { findStatusPage } from '../status-page.ts'
import type { Findings } from './gather-findings.ts'

/**
 * A page is made once a day, and an instance looks once an hour which are due. Another hour is for an instance that was just being
 * started anew.
 */
export const MAX_BETWEEN_PAGES_SECONDS = SECONDS_PER_DAY + 2 * 60 * 60

/** The first page is made within the hour after the first approval on it; another hour as above. */
const MAX_BEFORE_FIRST_SECONDS = 2 * 60 * 60

/** What the log says of when a page was made. Times are seconds since 1970 UTC. */
interface History {
  /** Of the first approval on it; undefined before there is one. */
  begunAt: number | undefined
  made: number
  /** Place of the newest entry that names it. */
  newestIndex: number | undefined
  /** The latest that one of them states. */
  latest: number | undefined
}

/** When the pages of a log were made. */
export interface PageHistory {
  addApproval(index: number, time: number): void
  /** @param index Place of the entry that names the page. */
  addPage(page: number, index: number, time: number): void
  /**
   * Looks at the time from the newest of each page until now.
   * @returns the pages that have approvals or were made. `isDue`: whether there ought to be one by now.
   */
  finish(now: number): { page: number; made: number; newestIndex: number | undefined; isDue: boolean }[]
}

/** Begins without a page; what is out of order is told to `findings`. */
export function openPageHistory(findings: Findings): PageHistory {
  const histories = new Map<number, History>()

  function openHistory(page: number): History {
    const known = histories.get(page)
    if (known) return known
    const opened: History = { begunAt: undefined, made: 0, newestIndex: undefined, latest: undefined }
    histories.set(page, opened)
    return opened
  }

  function tellGap(page: number, from: number | undefined, to: number): void {
    if (from !== undefined && to - from > MAX_BETWEEN_PAGES_SECONDS) findings.add('page_late', { page, from, to })
  }

  return {
    addApproval(index, time) {
      const history = openHistory(findStatusPage(index))
      history.begunAt ??= time
    },
    addPage(page, index, time) {
      const history = openHistory(page)
      const before = history.latest
      if (before !== undefined && time < before) findings.add('status_backwards', { index, page, time, before })
      tellGap(page, before ?? history.begunAt, time)
      history.made += 1
      history.newestIndex = index
      history.latest = Math.max(before ?? time, time)
    },
    finish(now) {
      const all = [...histories].sort(([one], [other]) => one - other)
      return all.map(([page, { begunAt, latest, made, newestIndex }]) => {
        tellGap(page, latest ?? begunAt, now)
        return { page, made, newestIndex, isDue: begunAt !== undefined && now - begunAt > MAX_BEFORE_FIRST_SECONDS }
      })
    },
  }
}
