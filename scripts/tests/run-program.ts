import { spawn } from 'node:child_process'
import type { Voice } from './take-turns.ts'

export interface ProgramEnd {
  /** Null when it was killed. */
  exitCode: number | null
  /** It was killed because it had said nothing for `silenceLimitMs`. */
  fellSilent: boolean
  seconds: number
  /** The end of what it said on its error stream, whole lines. */
  errorTail: string
}

/** Characters of the error stream that are kept. */
const TAIL_LENGTH = 4000

export interface ProgramOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  silenceLimitMs: number
  /** Where it is heard; at once when absent. */
  say?: Voice['say']
}

/**
 * Runs a program with its output visible, and ends it with everything it started when it falls silent, when this
 * process is told to end, or when it leaves something running behind. How long it takes in all is no reason: a slow
 * machine is not a fault.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env, silenceLimitMs, say = (to, words) => void to.write(words) }: ProgramOptions,
): Promise<ProgramEnd> {
  const started = performance.now()
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('exit', resolve)
  let fellSilent = false
  const timer = setTimeout(() => {
    fellSilent = true
    signalGroup(child.pid, 'SIGKILL')
  }, silenceLimitMs)
  const streams = [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const
  let errorTail = ''
  const told = streams.map(async ([from, to]) => {
    for await (const chunk of from) {
      timer.refresh()
      say(to, chunk as Buffer)
      if (from === child.stderr) errorTail = keepTail(errorTail + String(chunk))
    }
  })
  const forward = (signal: NodeJS.Signals) => signalGroup(child.pid, signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  try {
    const exitCode = await promise
    const seconds = (performance.now() - started) / 1000
    // What it left running holds the pipes open, so that goes first.
    signalGroup(child.pid, 'SIGKILL')
    await Promise.allSettled(told)
    return { exitCode, fellSilent, seconds, errorTail }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', forward).off('SIGTERM', forward)
    signalGroup(child.pid, 'SIGKILL')
  }
}

function keepTail(text: string): string {
  return text.length <= TAIL_LENGTH ? text : text.slice(text.indexOf('\n', text.length - TAIL_LENGTH) + 1)
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // Nothing of the group is left, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
