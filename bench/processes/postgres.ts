import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgresPrograms, startPrivatePostgres } from '@proofdesk/server/testing/private-postgres'

/** @returns why there is no PostgreSQL on this machine; undefined where there is one. */
export function whyNoPostgres(): string | undefined {
  return findPostgresPrograms() === undefined ? 'PostgreSQL: not installed (Debian: postgresql)' : undefined
}

/** A PostgreSQL that nobody else asks. */
export interface BenchPostgres {
  url: string
  /** Of its first process; all others are its children. */
  pid: number
}

/** Lends an empty PostgreSQL whose commits wait for the disk, on every core that servers may have; it goes with the work. */
export async function withPostgres<T>(work: (postgres: BenchPostgres) => Promise<T>): Promise<T> {
  const { url, stop } = await startPrivatePostgres(findPostgresPrograms() ?? '', { commits: 'onDisk' })
  try {
    const folder = new URL(url).searchParams.get('host') ?? ''
    const [pid] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')
    return await work({ url, pid: Number(pid) })
  } finally {
    await stop()
  }
}
