import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { runAdmin } from '../admin/commands.ts'
import type { TestServer } from '../testing.ts'

/** Settings of an installation on SQLite that no server runs on. */
export type StoppedInstallation = { DATA_DIR: string; KEYS_DIR: string }

/** Copies all of a test's server, as if it had been stopped at this moment. */
export async function copyStopped({ config }: TestServer, folder: string): Promise<StoppedInstallation> {
  const [DATA_DIR, KEYS_DIR] = [join(folder, 'data'), join(folder, 'keys')]
  await cp(config.keysDir, KEYS_DIR, { recursive: true, dereference: true })
  await cp(join(config.dataDir, 'blobs'), join(DATA_DIR, 'blobs'), { recursive: true })
  const database = new DatabaseSync(join(config.dataDir, 'proofdesk.sqlite'))
  database.prepare('vacuum into ?').run(join(DATA_DIR, 'proofdesk.sqlite'))
  database.close()
  return { DATA_DIR, KEYS_DIR }
}

/** Runs a command in this process with these settings alone, and whatever room there is on the disk. */
export async function runCommand(args: string[], environment: Record<string, string>, input = '') {
  const [out, err]: [string[], string[]] = [[], []]
  const status = await runAdmin(args, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    input: Readable.from([input]),
    environment: { MIN_FREE_MB: '0', ...environment },
  })
  return { status, out: out.join('\n'), err: err.join('\n') }
}

/** Runs statements on a database file. */
export function editSqlite(path: string, ...statements: string[]): void {
  const database = new DatabaseSync(path)
  try {
    for (const statement of statements) database.exec(statement)
  } finally {
    database.close()
  }
}
