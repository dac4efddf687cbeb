import {
  CERTIFICATE_DAYS,
  DATABASE_LIMITS,
  type HealthReport,
  type IssuingCertificate,
  type PartState,
} from '@proofdesk/contract/health'
import { isOver } from '../../is-over.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Measured<Part extends keyof HealthReport> = Omit<Extract<HealthReport[Part], object>, 'state'>

export function judgeDatabase({ answered_in_ms, clock_ahead_ms }: Measured<'database'>): PartState {
  if (answered_in_ms === null) return 'broken'
  return answered_in_ms > DATABASE_LIMITS.answer || Math.abs(clock_ahead_ms ?? 0) > DATABASE_LIMITS.clock
    ? 'watch'
    : 'well'
}

/** Below the least free space uploads are refused. */
export function judgeStorage({ free_bytes, least_free_bytes }: Measured<'storage'>): PartState {
  if (free_bytes === null || free_bytes < least_free_bytes) return 'broken'
  return free_bytes < 2 * least_free_bytes ? 'watch' : 'well'
}

export function judgeWork({ failing, oldest_due_at }: Measured<'work'>, now: number): PartState {
  const late = oldest_due_at === null ? 0 : now - Date.parse(oldest_due_at)
  if (late > HOUR_MS) return 'broken'
  return failing > 0 || late > 5 * MINUTE_MS ? 'watch' : 'well'
}

/** @param isLocalOnly Nobody elsewhere uses the installation, so nobody misses the mails that only become files. */
export function judgeMail({ way, failing }: Measured<'mail'>, isLocalOnly: boolean): PartState {
  return failing > 0 || (way === 'folder' && !isLocalOnly) ? 'watch' : 'well'
}

/**
 * One that has never succeeded is late, too, counted from when it was first due.
 * @param isLocalOnly Nobody elsewhere uses the installation: it may be a trial.
 */
export function judgeBackup(
  { is_set, saved_at, due_since, problem }: Measured<'backup'>,
  isLocalOnly: boolean,
  now: number,
): PartState {
  if (!is_set) return isLocalOnly ? 'well' : 'watch'
  if (problem !== null) return 'broken'
  const since = saved_at ?? due_since
  return since !== null && isOver(Date.parse(since), 2 * DAY_MS, now) ? 'watch' : 'well'
}

/** New signatures come each day. */
export function judgeAntivirus({ is_set, version, signatures_at }: Measured<'antivirus'>, now: number): PartState {
  if (!is_set) return 'well'
  if (version === null) return 'broken'
  return signatures_at === null || now - Date.parse(signatures_at) > 7 * DAY_MS ? 'watch' : 'well'
}

/** Heads are signed every few seconds. @param isWhole The database reaches every head that was signed. */
export function judgeLog({ unsigned_since }: Measured<'log'>, isWhole: boolean, now: number): PartState {
  if (!isWhole) return 'broken'
  return unsigned_since !== null && now - Date.parse(unsigned_since) > MINUTE_MS ? 'watch' : 'well'
}

/** Entries are chained within seconds; until then one can be changed unseen. */
export function judgeAudit({ waiting_since }: Measured<'audit'>, now: number): PartState {
  const late = waiting_since === null ? 0 : now - Date.parse(waiting_since)
  if (late > HOUR_MS) return 'broken'
  return late > 10 * MINUTE_MS ? 'watch' : 'well'
}

/** A round begins a week after the one before. */
export function judgeFiles({ judged_at, problem_count }: Measured<'files'>, now: number): PartState {
  if (problem_count > 0) return 'broken'
  return judged_at !== null && isOver(Date.parse(judged_at), 21 * DAY_MS, now) ? 'watch' : 'well'
}

/** Witnesses are asked with each approval, and again each minute until enough have signed. */
export function judgeOutsideTime({ is_set, waiting_since }: Measured<'outside_time'>, now: number): PartState {
  if (!is_set || waiting_since === null) return 'well'
  return now - Date.parse(waiting_since) > 10 * MINUTE_MS ? 'watch' : 'well'
}

/** Without a certificate that holds nothing is approved, and without one of its keys the server does not start again. */
export function judgeKeys({ certificates, files }: Measured<'keys'>, now: number): PartState {
  const holds = ({ begins_at, ends_at }: IssuingCertificate) =>
    Date.parse(begins_at) <= now && now < Date.parse(ends_at)
  if (certificates.length === 0 || !certificates.every(holds)) return 'broken'
  if (files.some(({ written_at }) => written_at === null)) return 'broken'
  const isNear = certificates.some(({ ends_at }) => Date.parse(ends_at) - now <= CERTIFICATE_DAYS.watch * DAY_MS)
  return isNear ? 'watch' : 'well'
}

/** Nodes of different versions on one database are not tested. */
export function judgeRelease({ nodes }: Measured<'release'>): PartState {
  return nodes.length > 1 ? 'watch' : 'well'
}
