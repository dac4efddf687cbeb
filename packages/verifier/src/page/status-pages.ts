import type { StatusSource } from '@proofdesk/proof/verify-document'
import { readStatusPage } from './instance.ts'

const PLACE = 'proofdesk-status-pages'

/** The pages of revocations of the instance that served this page, and how large a tree has all that was seen here of each. */
export const INSTANCE_STATUS: StatusSource = {
  read: readStatusPage,
  async meet(origin, page, size) {
    const name = `${origin} ${page}`
    const seen = readSeen()
    const before = seen.get(name)
    // Also where no witness has signed it yet: it may be the first to say that something is revoked, and the one before must not
    // pass again. Whoever has the log's key could keep revocations unknown anyway, by giving out nothing.
    if (before === undefined || before < size) keepSeen(seen.set(name, size))
    return before
  },
}

/** What cannot be read counts as nothing. */
function readSeen(): Map<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '{}')
    return new Map(Object.entries(kept ?? {}).filter(([, size]) => Number.isSafeInteger(size)) as [string, number][])
  } catch {
    return new Map()
  }
}

/** Where the browser gives no storage, nothing is kept. */
function keepSeen(seen: ReadonlyMap<string, number>): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(seen)))
  } catch {
    // nothing to do about it
  }
}
