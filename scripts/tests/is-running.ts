import { existsSync, readFileSync } from 'node:fs'

/** False also for a process that has ended but that nobody has asked for its exit code yet, as in many containers. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const stat = `/proc/${pid}/stat`
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'utf8'))
}
