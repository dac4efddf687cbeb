import type { HealthReport } from '@proofdesk/contract/health'
import { MailKind } from '@proofdesk/contract/mail-delivery'
import { canSeeHealth, type Viewer } from '@proofdesk/contract/permissions'
import { parseStatement } from '@proofdesk/proof/log/statements'
import { VERSION } from '../../config/version.ts'
import { listWaiting } from '../../audit/queries.ts'
import { readBackupState } from '../../backup/backup-state.ts'
import { checkDatabase } from '../../db/migrate.ts'
import { readClock } from '../../db/read-clock.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findHead, findNewestCheckpoint, listEntries } from '../../log/queries.ts'
import { countWaiting } from '../../outbox/queries.ts'
import { ROUND_KINDS } from '../../rounds/queries.ts'
import {
  judgeAntivirus,
  judgeAudit,
  judgeBackup,
  judgeDatabase,
  judgeFiles,
  judgeLog,
  judgeMail,
  judgeStorage,
  judgeWork,
} from './judge-parts.ts'
import { measureKeys } from './measure-keys.ts'
import { measureOutsideTime } from './measure-outside-time.ts'
import { measureRelease } from './measure-release.ts'
import { countFileProblems, countWork, listFileProblems, listSpoiledFiles, listWholeRounds } from './queries.ts'

const PROBLEMS_SHOWN = 20
const BYTES_PER_MB = 1024 * 1024
const STARTED_AT = Date.now()

/** How each part is. @throws AppError `forbidden` for everyone but superusers. */
export async function showHealthReport(deps: Deps, viewer: Viewer): Promise<HealthReport> {
  if (!canSeeHealth(viewer)) throw new AppError('forbidden')
  return measureHealth(deps)
}

/** What stands in the report, for whoever may read it. */
export async function measureHealth(deps: Deps): Promise<HealthReport> {
  const [database, storage, work, mail, log, audit, files, antivirus, backup, outside_time, keys, release] =
    await Promise.all([
      measureDatabase(deps),
      measureStorage(deps),
      measureWork(deps),
      measureMail(deps),
      measureLog(deps),
      measureAudit(deps),
      measureFiles(deps),
      measureAntivirus(deps),
      measureBackup(deps),
      measureOutsideTime(deps),
      measureKeys(deps),
      measureRelease(deps),
    ])
  return {
    version: VERSION,
    started_at: writeTime(STARTED_AT),
    now: writeTime(deps.now()),
    database,
    storage,
    work,
    mail,
    log,
    audit,
    files,
    antivirus,
    backup,
    outside_time,
    keys,
    release,
  }
}

async function measureDatabase(deps: Deps): Promise<HealthReport['database']> {
  const begun = performance.now()
  const measured = { engine: deps.engine, answered_in_ms: null, clock_ahead_ms: null }
  try {
    await checkDatabase(deps)
    const answered_in_ms = Math.round(performance.now() - begun)
    const clock = await readClock(deps)
    const clock_ahead_ms = clock === undefined ? null : Math.round(clock - deps.now())
    const answered = { ...measured, answered_in_ms, clock_ahead_ms }
    return { state: judgeDatabase(answered), ...answered }
  } catch (error) {
    deps.logger.fail('the database did not answer', error)
    return { state: judgeDatabase(measured), ...measured }
  }
}

async function measureStorage({ blobs, config, logger }: Deps): Promise<HealthReport['storage']> {
  const least_free_bytes = config.minFreeMb * BYTES_PER_MB
  const measure = async () => {
    await blobs.check()
    return { free_bytes: await blobs.freeBytes(), least_free_bytes }
  }
  const measured = await measure().catch((error: unknown) => {
    logger.fail('the storage did not answer', error)
    return { free_bytes: null, least_free_bytes }
  })
  return { state: judgeStorage(measured), ...measured }
}

async function measureWork({ longReads, now }: Deps): Promise<HealthReport['work']> {
  const { waiting, failing, oldest } = await countWork(longReads)
  const measured = { waiting, failing, oldest_due_at: oldest !== null && oldest <= now() ? writeTime(oldest) : null }
  return { state: judgeWork(measured, now()), ...measured }
}

async function measureMail({ longReads, mailer, config }: Deps): Promise<HealthReport['mail']> {
  const measured = { way: mailer.route.way, ...(await countWaiting(longReads, MailKind.options)) }
  return { state: judgeMail(measured, config.isLocalOnly), ...measured }
}

async function measureLog({ reads, log, now }: Deps): Promise<HealthReport['log']> {
  const [head, signed] = await Promise.all([findHead(reads), findNewestCheckpoint(reads)])
  const signed_size = signed?.size ?? 0
  const [unsigned] = await listEntries(reads, signed_size, 1)
  const measured = {
    size: head.size,
    signed_size,
    signed_at: signed ? writeTime(signed.signed_at) : null,
    unsigned_since: unsigned ? writeTime(parseStatement(Buffer.from(unsigned.entry)).time * 1000) : null,
  }
  return { state: judgeLog(measured, isWhole(log), now()), ...measured }
}

async function measureAudit({ reads, now }: Deps): Promise<HealthReport['audit']> {
  const [oldest] = await listWaiting(reads, 1)
  const measured = { waiting_since: oldest ? writeTime(oldest.at) : null }
  return { state: judgeAudit(measured, now()), ...measured }
}

function isWhole(log: Deps['log']): boolean {
  try {
    log.mustBeWhole()
    return true
  } catch {
    return false
  }
}

async function measureFiles({ reads, longReads, now }: Deps): Promise<HealthReport['files']> {
  const [rounds, count, certified, others] = await Promise.all([
    listWholeRounds(reads),
    countFileProblems(longReads),
    listFileProblems(reads, PROBLEMS_SHOWN),
    listSpoiledFiles(reads, PROBLEMS_SHOWN),
  ])
  const problems = [
    ...certified.map((problem) => ({ ...problem, what: 'certified' as const })),
    ...others.map((problem) => ({ ...problem, proof_id: null })),
  ]
  const ends = rounds.map(({ ended_at }) => ended_at)
  const measured = {
    judged_at: ends.length < ROUND_KINDS.length ? null : writeTime(Math.min(...ends)),
    problems: problems
      .toSorted((a, b) => b.found_at - a.found_at)
      .slice(0, PROBLEMS_SHOWN)
      .map(({ found_at, ...problem }) => ({ ...problem, found_at: writeTime(found_at) })),
    problem_count: count,
  }
  return { state: judgeFiles(measured, now()), ...measured }
}

async function measureAntivirus({ scanner, logger, now }: Deps): Promise<HealthReport['antivirus']> {
  const said = await scanner?.askVersion().catch((error: unknown) => {
    logger.fail('the virus scanner did not answer', error)
    return undefined
  })
  const measured = {
    is_set: scanner !== undefined,
    version: said?.version ?? null,
    signatures_at: said?.signaturesAt === undefined ? null : writeTime(said.signaturesAt),
  }
  return { state: judgeAntivirus(measured, now()), ...measured }
}

async function measureBackup({ reads, config, now }: Deps): Promise<HealthReport['backup']> {
  const { due_since, saved_at, drilled_at, problem } = await readBackupState(reads)
  const is_set = config.backupDir !== undefined
  const measured = {
    is_set,
    due_since: !is_set || due_since === null ? null : writeTime(due_since),
    saved_at: saved_at === null ? null : writeTime(saved_at),
    drilled_at: drilled_at === null ? null : writeTime(drilled_at),
    problem,
  }
  return { state: judgeBackup(measured, config.isLocalOnly, now()), ...measured }
}

function writeTime(at: number): string {
  return new Date(at).toISOString()
}
