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
 * @throws AppError `forbidden` for everyone but superusers, `email_not_verified`, `read_timed_out`
 */
export async function listAudit(
  deps: Pick<Deps, 'reads' | 'longReads'>,
  viewer: Viewer,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<Out<typeof listRoute>> {
  refuse(whyNotSeeAudit(viewer))
  const { before, ...filter } = query
  const [rows, chain] = await Promise.all([
    // One more tells whether there are older ones.
    listPage(deps, filter, before, AUDIT_PAGE_SIZE + 1),
    showChain(deps.reads),
  ])
  const shown = rows.slice(0, AUDIT_PAGE_SIZE)
  const oldest = rows.length > AUDIT_PAGE_SIZE ? shown.at(-1)?.id : undefined
  const next = oldest === undefined ? null : toNeighbour(address, 'before', oldest)
  return { next, results: shown.map(toEntry), chain }
}

/** Where no single index leads to the entries of a page others may have to be read past: beside what everybody waits for. */
async function listPage(
  { reads, longReads }: Pick<Deps, 'reads' | 'longReads'>,
  filter: AuditFilter,
  before: number | undefined,
  most: number,
): Promise<AuditRow[]> {
  if (hasIndex(filter)) return queries.listNewest(reads, { filter }, before, most)
  if (!hasTimes(filter)) return queries.listNewest(longReads, { filter }, before, most)
  const span = await queries.findIdSpan(longReads, filter)
  return span ? queries.listNewest(longReads, { filter, span }, before, most) : []
}

function hasIndex({ object, object_id, ...others }: AuditFilter): boolean {
  if (object_id !== undefined && object === undefined) return false
  return [object, ...Object.values(others)].filter((value) => value !== undefined).length <= 1 && !hasTimes(others)
}

const hasTimes = ({ from, to }: AuditFilter): boolean => from !== undefined || to !== undefined

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
/** Ids that one statement walks through at most: however seldom an entry matches, none comes near the deadline. */
const IDS_AT_ONCE = 50_000

/**
 * All entries that match, oldest first, as they are read.
 * @param demandReader Before each portion is read; ends the reading where it throws.
 */
export async function* readAll(
  longReads: Db,
  filter: AuditFilter,
  demandReader: () => Promise<void>,
): AsyncGenerator<AuditRow> {
  const span = await (hasTimes(filter) ? queries.findIdSpan(longReads, filter) : queries.findWholeSpan(longReads))
  if (!span) return
  let { first } = span
  while (first <= span.last) {
    await demandReader()
    const last = Math.min(first + IDS_AT_ONCE - 1, span.last)
    const rows = await queries.listOldest(longReads, { filter, span: { first, last } }, ROWS_AT_ONCE)
    yield* rows
    first = (rows.length < ROWS_AT_ONCE ? last : (rows.at(-1)?.id ?? last)) + 1
  }
}
