import { DATABASE_LIMITS, type HealthReport, type PartState } from '@proofdesk/contract/health'
import type { ReactNode } from 'react'
import { formatFileSize } from '../../lib/file-size.ts'
import { PATHS } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { TextLink } from '../../ui/text-link.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { sayKeys } from './keys-words.tsx'
import { sayOutsideTime } from './outside-time-words.tsx'
import { sayRelease } from './release-words.tsx'

/** `unset`: nothing is wrong, but nobody has set it, so there is nothing that could be well. */
export type ShownState = PartState | 'unset'

export interface PartWords {
  name: string
  state: ShownState
  text: ReactNode
  link?: ReactNode
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** What is said of each part: how it is, and where it is not well, what to do. */
export function sayParts(report: HealthReport): PartWords[] {
  return [
    { name: m.health_database(), state: report.database.state, text: sayDatabase(report.database) },
    { name: m.health_storage(), state: report.storage.state, text: sayStorage(report.storage) },
    {
      name: m.health_files(),
      state: report.files.state,
      text: sayFiles(report.files),
    },
    {
      name: m.health_log(),
      state: report.log.state,
      text: sayLog(report.log),
      link: <TextLink to={PATHS.transparency}>{m.health_log_open()}</TextLink>,
    },
    { name: m.health_audit(), state: report.audit.state, text: sayAudit(report.audit) },
    {
      name: m.health_time(),
      state: showState(report.outside_time.state, report.outside_time.is_set),
      text: sayOutsideTime(report.outside_time),
    },
    { name: m.health_keys(), state: report.keys.state, text: sayKeys(report.keys, report.now) },
    {
      name: m.health_antivirus(),
      state: showState(report.antivirus.state, report.antivirus.is_set),
      text: sayAntivirus(report.antivirus),
    },
    {
      name: m.health_backup(),
      state: showState(report.backup.state, report.backup.is_set),
      text: sayBackup(report.backup),
    },
    { name: m.health_work(), state: report.work.state, text: sayWork(report.work) },
    {
      name: m.health_mail(),
      state: showState(report.mail.state, report.mail.way === 'smtp'),
      text: sayMail(report.mail),
      link: <TextLink to={PATHS.mail}>{m.health_mail_open()}</TextLink>,
    },
    { name: m.health_release(), state: report.release.state, text: sayRelease(report.release, report.version) },
  ]
}

function showState(state: PartState, isSet: boolean): ShownState {
  return state === 'well' && !isSet ? 'unset' : state
}

function sayDatabase({ engine, answered_in_ms: ms, clock_ahead_ms: ahead }: HealthReport['database']): string {
  if (ms === null) return m.health_database_silent({ engine: ENGINES[engine] })
  const told = [m.health_database_answered({ engine: ENGINES[engine], ms })]
  if (ms > DATABASE_LIMITS.answer) told.push(m.health_database_slow())
  const apart = Math.abs(ahead ?? 0)
  if (apart > DATABASE_LIMITS.clock) told.push(m.health_database_clock({ seconds: Math.round(apart / 1000) }))
  return told.join(' ')
}

function sayStorage({ free_bytes: free, least_free_bytes: least, state }: HealthReport['storage']): string {
  if (free === null) return m.health_storage_silent()
  const sizes = { free: formatFileSize(free), least: formatFileSize(least) }
  return state === 'broken' ? m.health_storage_low(sizes) : m.health_storage_free(sizes)
}

function sayFiles({ judged_at: judgedAt, problem_count: count, state }: HealthReport['files']): ReactNode {
  if (count > 0) return m.health_files_spoiled({ count })
  if (judgedAt === null) return m.health_files_never()
  return (
    <>
      {state === 'watch' ? m.health_files_late() : m.health_files_judged()} <TimeAgo at={judgedAt} />.
    </>
  )
}

function sayLog({ state, size, signed_size: signed }: HealthReport['log']): string {
  if (state === 'broken') return m.health_log_broken()
  const told = m.health_log_signed({ size, signed })
  return state === 'watch' ? `${told} ${m.health_log_late()}` : told
}

function sayAudit({ state, waiting_since: since }: HealthReport['audit']): ReactNode {
  if (state === 'well' || since === null) return m.health_audit_well()
  return (
    <>
      {m.health_audit_late()} <TimeAgo at={since} />.
    </>
  )
}

function sayAntivirus({ is_set: isSet, version, signatures_at: at, state }: HealthReport['antivirus']): ReactNode {
  if (!isSet) return m.health_antivirus_none()
  if (version === null) return m.health_antivirus_silent()
  if (at === null) return m.health_antivirus_undated({ version })
  return (
    <>
      {state === 'watch' ? m.health_antivirus_old({ version }) : m.health_antivirus_well({ version })}{' '}
      <TimeAgo at={at} />.
    </>
  )
}

function sayBackup({
  state,
  is_set: isSet,
  due_since: due,
  saved_at: saved,
  drilled_at: drilled,
  problem,
}: HealthReport['backup']): ReactNode {
  if (!isSet) return m.health_backup_none()
  if (problem !== null)
    return (
      <>
        {m.health_backup_failed()}{' '}
        <span dir="ltr" className="font-mono text-[0.85rem] whitespace-pre-wrap wrap-anywhere">
          {problem}
        </span>
      </>
    )
  if (saved === null && state === 'watch' && due !== null)
    return (
      <>
        {m.health_backup_overdue()} <TimeAgo at={due} />.
      </>
    )
  if (saved === null) return m.health_backup_awaited()
  return (
    <>
      {m.health_backup_saved()} <TimeAgo at={saved} />.
      {drilled !== null && (
        <>
          {' '}
          {m.health_backup_drilled()} <TimeAgo at={drilled} />.
        </>
      )}
    </>
  )
}

function sayWork({ waiting: count, failing, oldest_due_at: oldest }: HealthReport['work']): ReactNode {
  if (count === 0) return m.health_work_none()
  return (
    <>
      {m.health_work_waiting({ count, failing })}
      {oldest !== null && (
        <>
          {' '}
          {m.health_work_late()} <TimeAgo at={oldest} />.
        </>
      )}
    </>
  )
}

function sayMail({ way, waiting: count, failing }: HealthReport['mail']): string {
  if (failing > 0) return m.health_mail_failing({ count, failing })
  return way === 'folder' ? m.health_mail_folder() : m.health_mail_well({ count })
}
