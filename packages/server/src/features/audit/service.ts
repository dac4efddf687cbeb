import type { AuditChain, AuditEntry, AuditFilter, listAudit as listRoute } from '@proofdesk/contract/audit'
import { AUDIT_PAGE_SIZE } from '@proofdesk/contract/limits'
import { whyNotSeeAudit, type Viewer } from '@proofdesk/contract/permissions'
import type { In, Out } from '@proofdesk/contract/route'
import { countWaitingEntries, findLastLink } from '../../audit/queries.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../errors.ts'
import { toNeighbour } from '../../http/page-links.ts'
import * as queries from './queries.ts'
import type { AuditRow } from './queries.ts'

/**
 * What people did, and how far the chain reaches.
 * @param address Path and query of the request, for the link to what is older.
 * @throws AppError `forbidden` for everyone but superusers, `email_not_verified`
 */
export async function listAudit(
  { reads }: Deps,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<Out<typeof listRoute>> {
  refuse(whyNotSeeAudit(viewer))
  const { before, ...filter } = query
  const [rows, chain] = await Promise.all([
    // One more tells whether there are older ones.
    queries.listNewest(reads, filter, before, AUDIT_PAGE_SIZE + 1),
    showChain(reads),
  ])
  const shown = rows.slice(0, AUDIT_PAGE_SIZE)
  const oldest = rows.length > AUDIT_PAGE_SIZE ? shown.at(-1)?.id : undefined
  const next = oldest === undefined ? null : toNeighbour(address, 'before', oldest)
  return { next, results: shown.map(toEntry), chain }
}

async function showChain(reads: Db): Promise<AuditChain> {
  const [link, waiting] = await Promise.all([findLastLink(reads), countWaitingEntries(reads)])
  return {
    link: link?.id ?? null,
    at: link ? new Date(link.made_at).toISOString() : null,
    hash: link?.hash ?? null,
    waiting,
  }
}

export function toEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: row.actor_id === null ? null : { id: row.actor_id, username: row.actor ?? '' },
    // What is written is of the closed lists.
    action: row.action as AuditEntry['action'],
    object: { kind: row.object_kind as AuditEntry['object']['kind'], id: row.object_id, name: row.object_name },
    collection: row.collection_id,
    details: JSON.parse(row.details) as AuditEntry['details'],
    network: row.network,
    link: row.link_id,
  }
}

/** Entries read at once while a file is written. */
const ROWS_AT_ONCE = 500

/** All entries that match, oldest first, as they are read. */
export async function* readAll(reads: Db, filter: AuditFilter): AsyncGenerator<AuditRow> {
  let after = 0
  for (;;) {
    const rows = await queries.listAfter(reads, filter, after, ROWS_AT_ONCE)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return
    after = last.id
  }
}
