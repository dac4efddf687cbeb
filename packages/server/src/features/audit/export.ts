import { Readable } from 'node:stream'
import type { AuditFilter, exportAudit as exportRoute } from '@proofdesk/contract/audit'
import { whyNotSeeAudit, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../errors.ts'
import { recordEvent } from '../../events/record-events.ts'
import { auditEvents } from './events.ts'
import type { AuditRow } from './queries.ts'
import { readAll, toEntry } from './service.ts'
import { writeCsvLine } from './csv.ts'

/**
 * All entries that match as a file, written while it is sent. That it was taken is recorded first, and so is in it.
 * @throws AppError as `listAudit`
 */
export async function exportAudit(
  deps: Deps,
  viewer: Viewer,
  { format, ...filter }: In<typeof exportRoute, 'query'>,
): Promise<Readable> {
  refuse(whyNotSeeAudit(viewer))
  await recordEvent(deps, auditEvents.audit_exported(viewer.id, format))
  const write = format === 'csv' ? writeCsv : writeJson
  return Readable.from(write(deps.longReads, filter))
}

const COLUMNS = [
  'id',
  'at',
  'actor_id',
  'actor',
  'action',
  'object_kind',
  'object_id',
  'object_name',
  'collection_id',
  'details',
  'network',
  'link_id',
  'hash',
] as const satisfies (keyof AuditRow)[]

async function* writeCsv(longReads: Db, filter: AuditFilter): AsyncGenerator<string> {
  yield writeCsvLine(COLUMNS)
  for await (const row of readAll(longReads, filter)) {
    const shown = { ...row, at: new Date(row.at).toISOString() }
    yield writeCsvLine(COLUMNS.map((column) => shown[column]))
  }
}

async function* writeJson(longReads: Db, filter: AuditFilter): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of readAll(longReads, filter)) {
    yield `${before}${JSON.stringify({ ...toEntry(row), hash: row.hash })}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
