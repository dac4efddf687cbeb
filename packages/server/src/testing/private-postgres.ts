import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, constants, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)
/** The account `nobody` on Debian: PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const DEBIAN_VERSIONS = '/usr/lib/postgresql'
const START_PATIENCE_MS = 30_000

/** A real PostgreSQL of one test, on a socket in a folder of its own. */
export interface PrivatePostgres {
  url: string
  /** Cuts every other connection, as a failing network or a restarted database does. */
  cutConnections(): Promise<void>
}

/** The folder of PostgreSQL's programs: the newest of Debian's, which are not on the path, else one on it. */
async function findPrograms(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN_VERSIONS).catch(() => [])
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a)).map((one) => join(DEBIAN_VERSIONS, one, 'bin'))
  for (const folder of [...newestFirst, ...(process.env.PATH ?? '').split(delimiter)]) {
    const isThere = await Promise.all(['initdb', 'postgres'].map((name) => access(join(folder, name), constants.X_OK)))
      .then(() => true)
      .catch(() => false)
    if (isThere) return folder
  }
  return undefined
}

/** Starts one from the machine's own programs; undefined, and a skipped test, where there are none. */
export async function startPrivatePostgres(t: {
  after(end: () => Promise<void>): unknown
  skip(reason?: string): void
}): Promise<PrivatePostgres | undefined> {
  const programs = await findPrograms()
  if (programs === undefined) {
    if (process.env.CI === 'true') throw new Error('PostgreSQL (Debian package postgresql) is not installed')
    t.skip('PostgreSQL is not installed')
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-pg-'))
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    {
      cwd: folder,
      ...account,
    },
  )
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    {
      cwd: folder,
      stdio: 'ignore',
      ...account,
    },
  )
  t.after(async () => {
    if (server.exitCode === null) {
      server.kill('SIGINT')
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  })
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    // A connection that is cut off while it ends complains to nobody.
    client.on('error', () => {})
    await client.connect()
    await client.query(text)
    await client.end()
  }
  for (const end = Date.now() + START_PATIENCE_MS; ;) {
    try {
      await ask('select 1')
      break
    } catch (error) {
      if (Date.now() > end || server.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return {
    url,
    cutConnections: () =>
      ask(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where pid <> pg_backend_pid() and backend_type = 'client backend'`,
      ),
  }
}
