import { spawn } from 'node:child_process'

export type Outcome = 'passed' | 'failed' | 'endless'

/** Longer than any test file takes by itself. */
const LONGEST_MS = 120_000

/** Runs test files of Node in a copy of the project, on SQLite alone, until the first fault. */
export async function runTestFiles(
  root: string,
  files: readonly string[],
  env: Record<string, string> = {},
  longestMs = LONGEST_MS,
): Promise<Outcome> {
  for (const file of files) {
    const outcome = await runTestFile(root, file, env, longestMs)
    if (outcome !== 'passed') return outcome
  }
  return 'passed'
}

function runTestFile(root: string, file: string, env: Record<string, string>, longestMs: number): Promise<Outcome> {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, PROOFDESK_TEST_ENGINES: 'sqlite', ...env },
    stdio: 'ignore',
    // With the processes it has started.
    detached: true,
  })
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(() => {
    resolve('endless')
    killAll(child.pid)
  }, longestMs)
  child.once('error', reject).once('close', (code) => resolve(code === 0 ? 'passed' : 'failed'))
  return promise.finally(() => {
    clearTimeout(timer)
    killAll(child.pid)
  })
}

function killAll(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}
