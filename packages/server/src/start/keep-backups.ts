import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { keepBackupState, readBackupState, type BackupState } from '../backup/backup-state.ts'
import type { Deps } from '../deps.ts'

const ADMIN = join(import.meta.dirname, '../admin/main.ts')
const DAY_MS = 24 * 60 * 60 * 1000
const LOOK_EVERY_MS = 60_000
/** Characters of what a failed command said. */
const TOLD_LENGTH = 2000

/**
 * Where `BACKUP_DIR` is set: adds a backup each day, drills the restore of it, and keeps what came of both. Each in a process of
 * its own. @returns what stops it; a backup that is under way is ended and begun anew another time.
 */
export function startBackups(deps: Deps): () => Promise<void> {
  const { backupDir } = deps.config
  if (backupDir === undefined) return async () => {}
  const stopping = new AbortController()
  let working: Promise<void> | undefined
  const look = () => {
    working ??= backUpWhenDue(deps, backupDir, stopping.signal)
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
  }
}

async function backUpWhenDue(deps: Deps, dir: string, signal: AbortSignal): Promise<void> {
  const { reads, now } = deps
  const was = await readBackupState(reads)
  if (was.tried_at !== null && now() - was.tried_at < DAY_MS) return
  const failed = await run(deps, ['backup', dir, '--keep', String(deps.config.backupKeep)], signal)
  const tried = { ...was, tried_at: now() }
  if (failed !== undefined) return report(deps, { ...tried, problem: failed })
  const saved = { ...tried, saved_at: now() }
  const spoiled = await run(deps, ['drill', dir], signal)
  await report(
    deps,
    spoiled === undefined ? { ...saved, drilled_at: now(), problem: null } : { ...saved, problem: spoiled },
  )
}

/** What was complained of names documents, so it stands in the database alone. */
async function report({ db, logger }: Deps, state: BackupState): Promise<void> {
  await keepBackupState(db, state)
  if (state.problem !== null) logger.warn('the daily backup or its drill failed: /health says why')
}

/** @returns what the command complained of; undefined when all went well. */
async function run({ config }: Deps, args: string[], signal: AbortSignal): Promise<string | undefined> {
  const env = { ...process.env, DATA_DIR: config.dataDir, KEYS_DIR: config.keysDir }
  const program = spawn(process.execPath, [ADMIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'], env, signal })
  const [told, [code]] = await Promise.all([text(program.stderr), once(program, 'exit') as Promise<[number | null]>])
  if (code === 0) return undefined
  return told.trim().slice(-TOLD_LENGTH) || `ended with ${code}`
}
