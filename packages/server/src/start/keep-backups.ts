import { randomUUID } from 'node:crypto'
import { changeBackupState, readBackupState, type BackupState } from '../backup/backup-state.ts'
import { listKnownSpoiled } from '../backup/queries.ts'
import { EXIT_TRY_LATER, EXIT_SAVED_WITHOUT_SOME } from '../config/start-failure.ts'
import type { Deps } from '../deps.ts'
import { CLOCKS_DIFFER_MS, isOver } from '../is-over.ts'
import { runAdmin, sayLong, type Ended } from './run-admin.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LOOK_EVERY_MS = 60_000
const FAILED = 'the daily backup or its drill failed: /health says why'
/** Of several processes one makes the backup; when nothing is heard of it for so long, another does. */
const HOLD_MS = 5 * LOOK_EVERY_MS
/** Each look tries again. Where nobody did for longer, the place may have been free meanwhile. */
const STILL_BUSY_MS = 3 * HOLD_MS
/** A file that could not be put back is tried again then; another backup may have it. */
const MEND_AGAIN_MS = 60 * 60_000
/** No backup takes so long, and the next day's is still begun in time. */
const COMMAND_MS = 20 * 60 * 60_000

interface Keeping extends Deps {
  /** How long one command may take, and how long somebody else may be at the place of the backups. */
  commandMs: number
}

/**
 * Where `BACKUP_DIR` is set: adds a backup each day, at one of all nodes and processes, drills the restore of it, removes old
 * ones, and keeps what came of it. In between it puts back what is found to be spoiled among the stored files. Each in a process of its own.
 * @returns what stops it; a backup that is under way is ended, cleans up, and is begun anew another time.
 */
export function startBackups(all: Deps, commandMs = COMMAND_MS): () => Promise<void> {
  const deps: Keeping = { ...all, commandMs }
  const { backupDir } = deps.config
  if (backupDir === undefined) return async () => {}
  const stopping = new AbortController()
  const me = randomUUID()
  const tried = new Map<string, number>()
  let working: Promise<void> | undefined
  const look = () => {
    if (working) return void holdOn(deps, me).catch(() => {})
    working = backUpWhenDue(deps, backupDir, me, stopping.signal)
      .then((isDone) => (isDone ? undefined : mendWhenSpoiled(deps, backupDir, { me, tried }, stopping.signal)))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) deps.logger.fail('the backup failed', error)
      })
      .finally(() => {
        working = undefined
      })
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await working
    await giveUp(deps, me).catch(() => {})
  }
}

/** @returns whether it was due. */
async function backUpWhenDue(deps: Keeping, dir: string, me: string, signal: AbortSignal): Promise<boolean> {
  const { now } = deps
  await noteDue(deps)
  const isDue = ({ tried_at: at }: BackupState) => at === null || isOver(at, DAY_MS, now())
  if (!(await takeTurn(deps, me, isDue))) return false
  await backUp(deps, dir, me, signal)
  return true
}

async function backUp(deps: Keeping, dir: string, me: string, signal: AbortSignal): Promise<void> {
  const { now } = deps
  // An empty place where backups stood is a disk that is not mounted, and what is saved there fills another one.
  const isAgain = (await readBackupState(deps.db)).saved_to === dir
  const backup = await run(deps, ['backup', dir, ...(isAgain ? ['--again'] : [])], signal)
  if (backup.code === EXIT_TRY_LATER) return putOff(deps, me, backup.problem)
  // A file that was lost for good stays lost: all else is in the backup, which counts and is drilled.
  if (backup.problem !== undefined && backup.code !== EXIT_SAVED_WITHOUT_SOME)
    return report(deps, me, { tried_at: now(), problem: backup.problem })
  const saved = { tried_at: now(), saved_at: now(), saved_to: dir }
  const [, snapshot = ''] = /^Saved as (\S+):/m.exec(backup.out) ?? []
  const drill = await run(deps, ['drill', dir, '--snapshot', snapshot], signal)
  const isWell = drill.problem === undefined
  // Older ones go only now: until then they may be the only ones that are well.
  const prune = await pruneBut(deps, dir, isWell ? snapshot : (await readBackupState(deps.db)).drilled_snapshot, signal)
  const problems = [backup, drill, prune].flatMap(({ problem }) => problem ?? [])
  await report(deps, me, {
    ...saved,
    ...(isWell && { drilled_at: now(), drilled_snapshot: snapshot }),
    problem: problems.join('\n') || null,
  })
}

/** @param drilled The newest that was drilled and went well; null where none is known. */
async function pruneBut(
  deps: Keeping,
  dir: string,
  drilled: string | null,
  signal: AbortSignal,
): Promise<Pick<Ended, 'problem'>> {
  const spare = drilled === null ? [] : ['--spare', drilled]
  const ended = await run(deps, ['prune', dir, '--keep', String(deps.config.backupKeep), ...spare], signal)
  // Somebody makes a backup there by hand: tomorrow will do.
  return ended.code === EXIT_TRY_LATER ? { problem: undefined } : ended
}

/** @param tried When which file was tried last, by this process. */
async function mendWhenSpoiled(
  deps: Keeping,
  dir: string,
  { me, tried }: { me: string; tried: Map<string, number> },
  signal: AbortSignal,
): Promise<void> {
  const { now, logger } = deps
  const isUntried = ({ key }: { key: string }) => (tried.get(key) ?? -Infinity) <= now() - MEND_AGAIN_MS
  const listKnown = () => listKnownSpoiled(deps.reads)
  const spoiled = (await listKnown()).filter(isUntried)
  // Before the first backup there is nothing to put back.
  if (spoiled.length === 0 || !(await takeTurn(deps, me, ({ saved_at: at }) => at !== null))) return
  for (const { key } of spoiled) tried.set(key, now())
  const { problem } = await run(deps, ['mend', dir, '--known'], signal)
  await giveUp(deps, me)
  // Of some the file is well, and its row is not.
  const left = new Set((await listKnown()).map(({ key }) => key))
  const mended = spoiled.filter(({ key }) => !left.has(key)).length
  if (mended > 0) logger.info('spoiled files were put back from the backup', { files: mended })
  if (problem !== undefined) logger.warn('a spoiled file could not be put back from the backup: /health names it')
}

/** The database decides between several nodes and processes. */
async function takeTurn({ db, now }: Deps, me: string, isDue: (was: BackupState) => boolean): Promise<boolean> {
  return changeBackupState(db, (was) => {
    const isFree = was.held_until === null || isOver(was.held_until - HOLD_MS, HOLD_MS, now())
    return isDue(was) && isFree ? { ...was, held_by: me, held_until: now() + HOLD_MS } : undefined
  })
}

const holdOn = ({ db, now }: Deps, me: string) =>
  changeBackupState(db, (was) => (was.held_by === me ? { ...was, held_until: now() + HOLD_MS } : undefined))

const giveUp = ({ db }: Deps, me: string) =>
  changeBackupState(db, (was) => (was.held_by === me ? { ...was, held_by: null, held_until: null } : undefined))

/** Until one has succeeded its age counts from here: what never comes about is to be seen, too. */
const noteDue = ({ db, now }: Deps) =>
  changeBackupState(db, (was) => {
    const due_since = orNow(was.due_since, now())
    return due_since === was.due_since ? undefined : { ...was, due_since }
  })

/**
 * Somebody is at it by hand, or one that was killed left its lock: a little later it is free. One that stays longer than any
 * backup takes keeps the daily one from coming about.
 */
async function putOff({ db, now, logger, commandMs }: Keeping, me: string, told = ''): Promise<void> {
  let isNews = false
  await changeBackupState(db, (was) => {
    if (was.held_by !== me) return undefined
    const isStill = was.busy_at !== null && !isOver(was.busy_at, STILL_BUSY_MS, now())
    const busy_since = isStill ? orNow(was.busy_since, now()) : now()
    const isLong = now() - busy_since >= commandMs
    const problem = isLong ? `No backup could be begun for more than ${sayLong(commandMs)}: ${told}` : was.problem
    isNews = problem !== was.problem
    return { ...was, held_by: null, held_until: null, busy_since, busy_at: now(), problem }
  })
  if (isNews) logger.warn(FAILED)
}

/** A time that was written down; now where none was, or where a clock wrote it that ran ahead. */
const orNow = (then: number | null, now: number) => (then === null || then > now + CLOCKS_DIFFER_MS ? now : then)

/** What was complained of names documents, so it stands in the database alone. */
async function report({ db, logger }: Deps, me: string, news: Partial<BackupState>): Promise<void> {
  await changeBackupState(db, (was) =>
    was.held_by === me
      ? { ...was, ...news, held_by: null, held_until: null, busy_since: null, busy_at: null }
      : undefined,
  )
  if (news.problem) logger.warn(FAILED)
}

const run = ({ config, commandMs }: Keeping, args: [string, ...string[]], signal: AbortSignal) =>
  runAdmin(config, args, commandMs, signal)
