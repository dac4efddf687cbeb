import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { findCores } from '../processes/pinned.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const GIB = 1024 ** 3

/** Short name of the commit, with a mark where the files differ from it; `unknown` outside of git. */
export function readCommit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? '-changed' : ''}`
  } catch {
    return 'unknown'
  }
}

/** How busy the machine was in the minute before: processes that ran or wanted to. */
export function readLoad(): number {
  return loadavg()[0] ?? 0
}

/** What the figures depend on, a line each. */
export function describeMachine(): string[] {
  const db = new DatabaseSync(':memory:')
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  db.close()
  const cores = findCores()
  return [
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / GIB)} GiB of memory, ${process.platform} ${release()}`,
    `Node ${process.versions.node}, SQLite ${version}`,
    cores
      ? `servers on core ${cores.server} (where work goes on beside the serving thread on ${cores['wide-server']}), what measures them on core ${cores.load}`
      : 'servers and what measures them share all cores: there are not two of them, or no `taskset`',
  ]
}
