import type { Deps } from '../deps.ts'
import { defineEvents } from '../events/event.ts'
import { recordEvents } from '../events/record-events.ts'
import { macEmptied } from './link-macs.ts'
import { emptyLink, findOutgrownLink } from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const retentionEvents = defineEvents({
  audit_emptied: (link: number, entries: number) => ({
    audit: { actor: null, object: { kind: 'installation', id: null }, details: { link, entries } },
  }),
})

/**
 * Deletes entries that are older than the operator keeps them, whole links at a time and from the oldest on; the links
 * themselves stay, so the chain can still be checked. Each link in a transaction of its own. Runs every hour.
 */
export async function emptyOldLinks(
  deps: Pick<Deps, 'db' | 'now' | 'outbox' | 'live' | 'config' | 'secrets'>,
): Promise<void> {
  const { auditKeepDays } = deps.config
  if (auditKeepDays === undefined) return
  const before = deps.now() - auditKeepDays * DAY_MS
  for (;;) {
    const link = await findOutgrownLink(deps.db, before)
    if (!link) return
    await recordEvents(deps, async (transaction, emit) => {
      const emptied_at = deps.now()
      const mark = { emptied_at, emptied_mac: macEmptied(deps.secrets, link.hash, emptied_at) }
      const entries = await emptyLink(transaction, link.id, mark)
      if (entries !== undefined) await emit(retentionEvents.audit_emptied(link.id, entries))
    })
  }
}
