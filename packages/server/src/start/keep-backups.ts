import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { changeBackupState, readBackupState, type BackupState } from '../backup/backup-state.ts'
import { listKnownSpoiled } from '../backup/queries.ts'
import { EXIT_TRY_LATER, EXIT_SAVED_WITHOUT_SOME } from '../config/start-failure.ts'
import type { Deps } from '../deps.ts'
import { isOver } from '../is-over.ts'

const ADMIN = join(import.meta.dirname, '../admin/main.ts')
const DAY_MS = 24 * 60 * 60 * 1000
const LOOK_EVERY_MS = 60_000
/** Of several processes one makes the backup; when nothing is heard of it for so long, another does. */
const HOLD_MS = 5 * LOOK_EVERY_MS
/** A file that could not be put back is tried again then; another backup may have it. */
const MEND_AGAIN_MS = 60 * 60_000
/** How long a command that is told to end may clean up, in milliseconds; less than the server may take to close. */
const END_MS = 10_000
/** Characters of what a failed command said. */
const TOLD_LENGTH = 2000

/**
 * Where `BACKUP_DIR` is set: adds a backup each day, at one of all nodes and processes, drills the restore of it, removes old
 * ones, and keeps what came of it. In between it puts back what is found to be spoiled among the stored files. Each in a process of its own.
 * @returns what stops it; a backup that is under way is ended, cleans up, and is begun anew another time.
 */
export function startBackups(deps: Deps): () => Promise<void> {
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
async function backUpWhenDue(deps: Deps, dir: string, me: string, signal: AbortSignal): Promise<boolean> {
  const { now } = deps
  const isDue = ({ tried_at: at }: BackupState) => at === null || isOver(at, DAY_MS, now())
  if (!(await takeTurn(deps, me, isDue))) return false
  await backUp(deps, dir, me, signal)
  return true
}

async function backUp(deps: Deps, dir: string, me: string, signal: AbortSignal): Promise<void> {
  const { now } = deps
  const backup = await run(deps, ['backup', dir], signal)
  // By hand, or the lock of one that was killed: a little later it is free.
  if (backup.code === EXIT_TRY_LATER) return void (await giveUp(deps, me))
  // A file that was lost for good stays lost: all else is in the backup, which counts and is drilled.
  if (backup.problem !== undefined && backup.code !== EXIT_SAVED_WITHOUT_SOME)
    return report(deps, me, { tried_at: now(), problem: backup.problem })
  const saved = { tried_at: now(), saved_at: now() }
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
  deps: Deps,
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
  deps: Deps,
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

/** What was complained of names documents, so it stands in the database alone. */
async function report({ db, logger }: Deps, me: string, news: Partial<BackupState>): Promise<void> {
  await changeBackupState(db, (was) =>
    was.held_by === me ? { ...was, ...news, held_by: null, held_until: null } : undefined,
  )
  if (news.problem) logger.warn('the daily backup or its drill failed: /health says why')
}

/** What came of a command. */
interface Ended {
  /** Null where a signal ended it. */
  code: number | null
  out: string
  /** What it complained of; undefined when all went well. */
  problem: string | undefined
}

async function run({ config }: Deps, args: string[], signal: AbortSignal): Promise<Ended> {
  const { dataDir, keysDir, databaseUrl, minFreeMb } = config
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined }
  const env = { ...process.env, DATA_DIR: dataDir, KEYS_DIR: keysDir, MIN_FREE_MB: String(minFreeMb), ...database }
  signal.throwIfAborted()
  // A group of its own: what a terminal sends to ours would end it a second time, which waits for nothing.
  const program = spawn(process.execPath, [ADMIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true })
  const forget = endWith(signal, program)
  try {
    const exit = once(program, 'exit') as Promise<[number | null]>
    const [out, told, [code]] = await Promise.all([text(program.stdout), text(program.stderr), exit])
    signal.throwIfAborted()
    if (code === 0) return { code, out, problem: undefined }
    return { code, out, problem: told.trim().slice(-TOLD_LENGTH) || `ended with ${code}` }
  } finally {
    forget()
  }
}

/** Tells a command to end, which lets go of its lock and takes its copies away first, and ends it when that takes too long. */
function endWith(signal: AbortSignal, program: ChildProcess): () => void {
  let late: NodeJS.Timeout | undefined
  const end = () => {
    program.kill('SIGTERM')
    // Its whole group: whoever it has begun would hold on to what we read.
    late = setTimeout(() => program.pid !== undefined && process.kill(-program.pid, 'SIGKILL'), END_MS)
  }
  signal.addEventListener('abort', end)
  return () => {
    signal.removeEventListener('abort', end)
    clearTimeout(late)
  }
}
