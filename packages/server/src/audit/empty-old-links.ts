import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { defineEvents } from '../events/event.ts'
import { recordEvents } from '../events/record-events.ts'
import { CLOCKS_DIFFER_MS } from '../is-over.ts'
import { macEmptied } from './link-macs.ts'
import { emptyLink, findNextMadeAt, findOldestFull, hasLinkMade, type AuditLink } from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const retentionEvents = defineEvents({
  audit_emptied: (link: number, entries: number) => ({
    audit: { actor: null, object: { kind: 'installation', id: null }, details: { link, entries } },
  }),
})

/** Of one sweep: 200,000 entries, more than an hour brings. */
const MOST_LINKS = 2000
/** Where the clock may be wrong: an hour of it costs a hundred entries, and what is quiet is done in time all the same. */
const MOST_UNSURE = 1

/**
 * Deletes entries that are older than the operator keeps them, whole links at a time and from the oldest on; the links
 * themselves stay, so the chain can still be checked. Each link in a transaction of its own. Runs every hour.
 */
export async function emptyOldLinks(
  deps: Pick<Deps, 'db' | 'reads' | 'now' | 'outbox' | 'live' | 'config' | 'secrets'>,
): Promise<void> {
  const { auditKeepDays } = deps.config
  if (auditKeepDays === undefined) return
  const now = deps.now()
  const before = now - auditKeepDays * DAY_MS
  const most = (await hasKnownClock(deps.reads, now)) ? MOST_LINKS : MOST_UNSURE
  for (let n = 0; n < most; n++) {
    const link = await findOldestFull(deps.db)
    if (!link || (await findLatestTime(deps.db, link, now)) >= before) return
    await recordEvents(deps, async (transaction, emit) => {
      const emptied_at = deps.now()
      const mark = { emptied_at, emptied_mac: macEmptied(deps.secrets, link.hash, emptied_at) }
      const entries = await emptyLink(transaction, link.id, mark)
      if (entries !== undefined) await emit(retentionEvents.audit_emptied(link.id, entries))
    })
  }
}

/** Whether it was by this clock that links were made a day ago, and a week ago: one that jumped ahead has none there. */
async function hasKnownClock(reads: Db, now: number): Promise<boolean> {
  const [day, week, fortnight] = [now - DAY_MS, now - 7 * DAY_MS, now - 14 * DAY_MS]
  return (await hasLinkMade(reads, week, day)) && hasLinkMade(reads, fortnight, week)
}

/** The latest time of a link's entries. They were there before the next link, whatever a clock that ran ahead wrote beside them. */
async function findLatestTime(db: Db, { id, last_at }: AuditLink, now: number): Promise<number> {
  const next = await findNextMadeAt(db, id, now + CLOCKS_DIFFER_MS)
  return Math.min(last_at, next ?? last_at)
}
