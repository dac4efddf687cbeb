import { SECONDS_PER_DAY } from '../statements.ts'
import { findStatusPage } from '../status-page.ts'
import type { Findings } from './gather-findings.ts'

/**
 * A page is made once a day, and an instance looks once an hour which are due. Another hour is for an instance that was just being
 * started anew.
 */
export const MAX_BETWEEN_PAGES_SECONDS = SECONDS_PER_DAY + 2 * 60 * 60

/**
 * The first page is made within the hour after the first approval on it, another within seconds of a change, and a copy of one that was
 * replaced is kept for a minute; the rest as above.
 */
export const MAX_SOON_SECONDS = 2 * 60 * 60

/** What the log says of when a page was made. Times are seconds since 1970 UTC. */
interface History {
  /** Of the first approval on it; undefined before there is one. */
  begunAt: number | undefined
  made: number
  /** Place of the newest entry that names it, and the time that it states. */
  newest: { index: number; time: number } | undefined
  /** The latest that one of them states. */
  latest: number | undefined
  /** The first change that no page heeds yet, or a later one, and the newest: place and time of their entries. */
  waiting: { index: number; time: number } | undefined
  newestChange: { index: number; time: number } | undefined
}

/** When the pages of a log were made. */
export interface PageHistory {
  addApproval(index: number, time: number): void
  /** @param index Place of the change. @param ref That of what it is about. */
  addChange(ref: number, index: number, time: number): void
  /** @param index Place of the entry that names the page. @param size That the page speaks of. */
  addPage(page: number, size: number, index: number, time: number): void
  /**
   * Looks at the time from the newest of each page until now.
   * @returns the pages that have approvals or were made. `isDue`: whether there ought to be one by now.
   */
  finish(now: number): (Pick<History, 'made' | 'newest'> & { page: number; isDue: boolean })[]
}

/** Begins without a page; what is out of order is told to `findings`. */
export function openPageHistory(findings: Findings): PageHistory {
  const histories = new Map<number, History>()

  function openHistory(page: number): History {
    const known = histories.get(page)
    if (known) return known
    const opened: History = {
      begunAt: undefined,
      made: 0,
      newest: undefined,
      latest: undefined,
      waiting: undefined,
      newestChange: undefined,
    }
    histories.set(page, opened)
    return opened
  }

  /** @param from When it was made before, or the first approval on it. */
  function tellGap(page: number, from: number | undefined, { waiting }: History, to: number): void {
    if (from !== undefined && to - from > MAX_BETWEEN_PAGES_SECONDS) findings.add('page_late', { page, from, to })
    else if (waiting && to - waiting.time > MAX_SOON_SECONDS)
      findings.add('page_late', { page, from: waiting.time, to })
  }

  return {
    addApproval(index, time) {
      const history = openHistory(findStatusPage(index))
      history.begunAt ??= time
    },
    addChange(ref, index, time) {
      const history = openHistory(findStatusPage(ref))
      history.newestChange = { index, time }
      history.waiting ??= history.newestChange
    },
    addPage(page, size, index, time) {
      const history = openHistory(page)
      const { latest: before, newestChange } = history
      if (before !== undefined && time < before) findings.add('status_backwards', { index, page, time, before })
      tellGap(page, before ?? history.begunAt, history, time)
      // It may have those that came while it was made; the next has them.
      if (history.waiting && history.waiting.index < size)
        history.waiting = newestChange && newestChange.index >= size ? newestChange : undefined
      history.made += 1
      history.newest = { index, time }
      history.latest = Math.max(before ?? time, time)
    },
    finish(now) {
      const all = [...histories].sort(([one], [other]) => one - other)
      return all.map(([page, history]) => {
        const { begunAt, latest, made, newest } = history
        tellGap(page, latest ?? begunAt, history, now)
        return { page, made, newest, isDue: begunAt !== undefined && now - begunAt > MAX_SOON_SECONDS }
      })
    },
  }
}
