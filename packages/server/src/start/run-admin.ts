import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../config/config.ts'

const ADMIN = join(import.meta.dirname, '../admin/main.ts')
/** How long a command that is told to end may clean up, in milliseconds; less than the server may take to close. */
const END_MS = 10_000
/** Characters of what a failed command said. */
const TOLD_LENGTH = 2000

/** What came of a command. */
export interface Ended {
  /** Null where a signal ended it. */
  code: number | null
  out: string
  /** What it complained of; undefined when all went well. */
  problem: string | undefined
}

/**
 * Runs a command for operators on this installation, in a process of its own.
 * @param longestMs After it the command is ended, and has failed: one that hangs would keep all later ones from their turn.
 */
export async function runAdmin(
  { dataDir, keysDir, databaseUrl, minFreeMb }: Config,
  args: [string, ...string[]],
  longestMs: number,
  signal: AbortSignal,
): Promise<Ended> {
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined }
  const env = { ...process.env, DATA_DIR: dataDir, KEYS_DIR: keysDir, MIN_FREE_MB: String(minFreeMb), ...database }
  signal.throwIfAborted()
  // A group of its own: what a terminal sends to ours would end it a second time, which waits for nothing.
  const program = spawn(process.execPath, [ADMIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true })
  const late = AbortSignal.timeout(longestMs)
  const forget = endWith(AbortSignal.any([signal, late]), program)
  try {
    const exit = once(program, 'exit') as Promise<[number | null]>
    const [out, told, [code]] = await Promise.all([text(program.stdout), text(program.stderr), exit])
    signal.throwIfAborted()
    if (code === 0) return { code, out, problem: undefined }
    const words = told.trim().slice(-TOLD_LENGTH)
    if (!late.aborted) return { code, out, problem: words || `ended with ${code}` }
    const isLate = `\`${args[0]}\` had not ended after ${sayLong(longestMs)}, and was ended`
    return { code: null, out, problem: words ? `${isLate}: ${words}` : isLate }
  } finally {
    forget()
  }
}

/** A time in words for operators. */
export function sayLong(ms: number): string {
  return ms >= 3_600_000 ? `${ms / 3_600_000} hours` : `${ms / 1000} seconds`
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
