import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { defineEvents } from '../events/event.ts'
import { recordEvents } from '../events/record-events.ts'
import { CLOCKS_DIFFER_MS } from '../is-over.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { findBreak, findLatest } from './check-chain.ts'
import { macEmptied } from './link-macs.ts'
import {
  emptyLink,
  findLink,
  findNextMadeAt,
  findOldestFull,
  hasLinkMade,
  listEntriesOfLink,
  type AuditLink,
} from './queries.ts'

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
 * themselves stay, so the chain can still be checked. Each link in a transaction of its own, and only one that holds: nobody
 * makes entries old by a change in the database. Runs every hour.
 * @param isFirst Since the start of this process: whatever starts it again and again, a clock that may be wrong costs no more.
 * @throws Error for a link that does not hold; nothing behind it goes.
 */
export async function emptyOldLinks(
  deps: Pick<Deps, 'db' | 'reads' | 'now' | 'outbox' | 'live' | 'config' | 'secrets'>,
  isFirst = false,
): Promise<void> {
  const { auditKeepDays } = deps.config
  if (auditKeepDays === undefined) return
  const now = deps.now()
  const before = now - auditKeepDays * DAY_MS
  const most = (await hasKnownClock(deps.reads, now)) ? MOST_LINKS : isFirst ? 0 : MOST_UNSURE
  for (let n = 0; n < most; n++) {
    const link = await findOldestFull(deps.db)
    if (!link) return
    const { latest, isOfEmptying } = await lookInto(deps, link, now)
    if (latest >= before) return
    await recordEvents(deps, async (transaction, emit) => {
      const emptied_at = deps.now()
      const mark = { emptied_at, emptied_mac: macEmptied(deps.secrets, link.hash, emptied_at) }
      const entries = await emptyLink(transaction, link.id, mark)
      if (entries !== undefined && !isOfEmptying) await emit(retentionEvents.audit_emptied(link.id, entries))
    })
  }
}

/** Whether it was by this clock that links were made a day ago, and a week ago: one that jumped ahead has none there. */
async function hasKnownClock(reads: Db, now: number): Promise<boolean> {
  const [day, week, fortnight] = [now - DAY_MS, now - 7 * DAY_MS, now - 14 * DAY_MS]
  return (await hasLinkMade(reads, week, day)) && hasLinkMade(reads, fortnight, week)
}

interface LinkContent {
  /** The latest time of its entries. They were there before the next link, whatever a clock that ran ahead wrote beside them. */
  latest: number
  /** They say nothing but that others went. Where that made an entry again, no trail would ever get quiet; the link keeps its mark. */
  isOfEmptying: boolean
}

async function lookInto(deps: { db: Db; secrets: SecretBox }, link: AuditLink, now: number): Promise<LinkContent> {
  const { db, secrets } = deps
  const entries = await listEntriesOfLink(db, link.id)
  const broken = findBreak(secrets, link, entries, link.previous_hash)
  if (broken && (await findLink(db, link.id))?.emptied_at === null)
    throw new Error(`audit: link ${link.id} does not hold, and is not emptied; npm run admin -- check-audit says why`)
  const latest = findLatest(entries)
  return {
    latest: Math.min(latest, (await findNextMadeAt(db, link.id, now + CLOCKS_DIFFER_MS)) ?? latest),
    isOfEmptying: entries.every(({ action }) => action === 'audit_emptied'),
  }
}
