import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HealthReport, PartState } from '@proofdesk/contract/health'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { isLoopback } from '../../config/is-loopback.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { hashToken } from '../../secrets/tokens.ts'
import { countWorkByKind } from './queries.ts'
import { measureHealth } from './service.ts'

const VALUES: Record<PartState, number> = { well: 1, watch: 0.5, broken: 0 }
const PARTS = [
  'database',
  'storage',
  'work',
  'mail',
  'log',
  'audit',
  'files',
  'antivirus',
  'backup',
  'outside_time',
  'keys',
  'release',
] as const

/**
 * `/metrics` in the text format of Prometheus: requests and the process, added up where several serve, and the parts as on the
 * health page. For programs on
 * this machine that come by no proxy, and for whoever has `METRICS_TOKEN` as bearer token; 404 for all others.
 */
export function installMetrics(app: FastifyInstance, deps: Deps): void {
  const process = new Registry()
  collectDefaultMetrics({ register: process })
  app.addHook('onClose', async () => process.clear())
  const own = [app.requestRegistry, process]
  deps.sharedMetrics?.share(own)
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, deps.config.metricsToken)) throw new AppError('not_found')
    const state = await describeState(deps)
    const measured = (await deps.sharedMetrics?.gather()) ?? (await Registry.merge(own).metrics())
    return reply
      .header('cache-control', 'no-store')
      .type(state.contentType)
      .send(`${measured}\n${await state.metrics()}`)
  })
}

/** A proxy on this machine speaks for others. */
function mayRead({ raw, headers }: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(token)))) return true
  }
  const isForwarded = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
  return !isForwarded && isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
}

async function describeState(deps: Deps): Promise<Registry> {
  const [report, kinds] = await Promise.all([measureHealth(deps), countWorkByKind(deps.longReads)])
  const registry = new Registry()
  const add = (name: string, help: string, value: number | null) => {
    if (value !== null) new Gauge({ name: `proofdesk_${name}`, help, registers: [registry] }).set(value)
  }
  const part = new Gauge({
    name: 'proofdesk_part_state',
    help: 'How a part is: 1 well, 0.5 to be watched, 0 broken.',
    labelNames: ['part'],
    registers: [registry],
  })
  for (const name of PARTS) part.set({ part: name }, VALUES[report[name].state])
  new Gauge({
    name: 'proofdesk_info',
    help: 'Version and database.',
    labelNames: ['version', 'engine'],
    registers: [registry],
  }).set({ version: report.version, engine: report.database.engine }, 1)
  const work = new Gauge({
    name: 'proofdesk_work_waiting',
    help: 'Work that follows commits, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  })
  for (const { kind, waiting } of kinds) work.set({ kind }, waiting)
  const certificate = new Gauge({
    name: 'proofdesk_certificate_left_seconds',
    help: 'Until a certificate of this installation ends; below 0 after it.',
    labelNames: ['certificate'],
    registers: [registry],
  })
  for (const { what, ends_at } of report.keys.certificates)
    certificate.set({ certificate: what }, (Date.parse(ends_at) - deps.now()) / 1000)
  const nodes = new Gauge({
    name: 'proofdesk_processes',
    help: 'Processes that serve this database, by their versions.',
    labelNames: ['version'],
    registers: [registry],
  })
  for (const { version, count } of report.release.nodes) nodes.set({ version }, count)
  addPlain(add, report, deps.now())
  return registry
}

function addPlain(add: (name: string, help: string, value: number | null) => void, report: HealthReport, now: number) {
  const { database, storage, work, log, audit, files, antivirus, backup, outside_time: outsideTime } = report
  const age = (at: string | null) => (at === null ? null : (now - Date.parse(at)) / 1000)
  add('database_answer_seconds', 'How long the database took to answer.', inSeconds(database.answered_in_ms))
  add('database_clock_ahead_seconds', 'How far the database’s clock is ahead.', inSeconds(database.clock_ahead_ms))
  add('storage_free_bytes', 'Room for files.', storage.free_bytes)
  add('storage_least_free_bytes', 'Below it uploads are refused.', storage.least_free_bytes)
  add('work_failing', 'Work that has failed at least once and is tried again.', work.failing)
  add(
    'work_oldest_age_seconds',
    'Since when the longest waiting work could have been done.',
    age(work.oldest_due_at) ?? 0,
  )
  add('log_entries', 'Entries of the transparency log.', log.size)
  add('log_signed_entries', 'Those that the newest signed head holds.', log.signed_size)
  add('log_head_age_seconds', 'Since the newest head was signed.', age(log.signed_at))
  add(
    'audit_waiting_age_seconds',
    'Since the oldest entry of the audit trail that is in no link of its chain.',
    age(audit.waiting_since) ?? 0,
  )
  add(
    'antivirus_signatures_age_seconds',
    'Since the virus scanner’s signatures were made.',
    age(antivirus.signatures_at),
  )
  add(
    'backup_age_seconds',
    'Since the last daily backup; where none has succeeded, since one was first due.',
    age(backup.saved_at ?? backup.due_since),
  )
  add('backup_drill_age_seconds', 'Since a restore of it was drilled and went well.', age(backup.drilled_at))
  if (outsideTime.is_set)
    add('log_unwitnessed_entries', 'Entries that no head holds which enough witnesses signed.', outsideTime.waiting)
  add('file_problems', 'Stored files that are not as they were stored, or not what was approved.', files.problem_count)
  add('files_judged_age_seconds', 'Since all stored files were looked at.', age(files.judged_at))
}

function inSeconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000
}
