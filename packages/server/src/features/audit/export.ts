import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { exportAudit as exportRoute } from '@proofdesk/contract/audit'
import { whyNotSeeAudit, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../errors.ts'
import { demandCaller } from '../../events/demand-caller.ts'
import { recordEvent } from '../../events/record-events.ts'
import { auditEvents } from './events.ts'
import type { AuditRow } from './queries.ts'
import { readAll, toEntry } from './service.ts'
import { writeCsvLine } from './csv.ts'

/**
 * All entries that match as a file, written while it is sent. That it was taken is recorded first, and so is in it. Sending
 * takes as long as whoever reads it likes: it breaks off when their session or their rights end.
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
  // Portions are asked for by the connection, outside of the request.
  const asReader = AsyncLocalStorage.snapshot()
  const rows = readAll(deps.longReads, filter, () => asReader(demandCaller, deps.reads))
  return Readable.from(write(rows))
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

async function* writeCsv(rows: AsyncIterable<AuditRow>): AsyncGenerator<string> {
  yield writeCsvLine(COLUMNS)
  for await (const row of rows) {
    const shown = { ...row, at: new Date(row.at).toISOString() }
    yield writeCsvLine(COLUMNS.map((column) => shown[column]))
  }
}

async function* writeJson(rows: AsyncIterable<AuditRow>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield `${before}${JSON.stringify({ ...toEntry(row), hash: row.hash })}`
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
