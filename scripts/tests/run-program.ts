import { spawn } from 'node:child_process'

export interface ProgramEnd {
  /** Null when it was killed. */
  exitCode: number | null
  timedOut: boolean
  seconds: number
}

export interface ProgramOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  limitMs: number
}

/**
 * Runs a program with its output visible, and ends it with everything it started when the limit is over,
 * when this process is told to end, or when it leaves something running behind.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env, limitMs }: ProgramOptions,
): Promise<ProgramEnd> {
  const started = performance.now()
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('exit', resolve)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    signalGroup(child.pid, 'SIGKILL')
  }, limitMs)
  const forward = (signal: NodeJS.Signals) => signalGroup(child.pid, signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  try {
    const exitCode = await promise
    return { exitCode, timedOut, seconds: (performance.now() - started) / 1000 }
  } finally {
    clearTimeout(timer)
    process.off('SIGINT', forward).off('SIGTERM', forward)
    signalGroup(child.pid, 'SIGKILL')
  }
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
