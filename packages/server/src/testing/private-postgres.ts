import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { chown, mkdtemp, readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { isProgram } from './is-program.ts'

const run = promisify(execFile)
/** The account `nobody` on Debian: PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const DEBIAN_VERSIONS = '/usr/lib/postgresql'
const START_PATIENCE_MS = 30_000
/** Several test files at once, each with servers of its own; a server's pool opens what it needs, at most ten. */
const MAX_CONNECTIONS = 300

/** A real PostgreSQL of its own, on a socket in a folder of its own, which ends with the process that started it. */
export interface PrivatePostgres {
  /** Of its superuser, in the database `postgres`. */
  url: string
  /** Ends it at once, as an operator does; its data stays. */
  halt(): Promise<void>
  /** Ends it in the middle of whatever it does; it finds its data again by its log. */
  crash(): Promise<void>
  /** Starts it again on the same data. */
  resume(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** The folder of PostgreSQL's programs: the newest of Debian's, which are not on the path, else one on it. */
export function findPostgresPrograms(): string | undefined {
  const newestFirst = listDebianVersions().map((version) => join(DEBIAN_VERSIONS, version, 'bin'))
  return [...newestFirst, ...(process.env.PATH ?? '').split(delimiter)].find((folder) =>
    ['initdb', 'postgres'].every((name) => isProgram(join(folder, name))),
  )
}

function listDebianVersions(): string[] {
  try {
    return readdirSync(DEBIAN_VERSIONS).toSorted((a, b) => Number(b) - Number(a))
  } catch {
    return []
  }
}

/**
 * Nothing of it is worth keeping, so nothing waits for the disk. Its shell holds it, and halts and resumes it line by line
 * of its input: when that ends, because `stop` was called or because this process is gone, however it ended, PostgreSQL
 * and its folder go.
 */
const HOLD = `
  programs=$1 folder=$2
  shift 2
  run() {
    "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=${MAX_CONNECTIONS} \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 \
      -c shared_buffers=64MB -c max_wal_size=256MB -c autovacuum=off "$@" >>"$folder/log" 2>&1 &
  }
  run "$@"
  while read -r line; do
    case "$line" in
      halt) kill -INT $!; wait ;;
      crash) kill -QUIT $!; wait ;;
      *) run "$@" ;;
    esac
  done
  kill -INT $! 2>/dev/null
  wait
  rm -rf "$folder"`

/**
 * For whoever crashes it and looks for what was acknowledged: a commit is in the hands of the operating system, which does
 * not crash with it, before it is told.
 */
const KEEPING_COMMITS = ['-c', 'synchronous_commit=on', '-c', 'autovacuum=on']
/** For whoever measures: commits wait for the disk, as an operator's do. */
const WAITING_FOR_DISK = [
  ...KEEPING_COMMITS,
  '-c',
  'fsync=on',
  '-c',
  'full_page_writes=on',
  '-c',
  'shared_buffers=512MB',
]
const COMMITS = { lost: [], kept: KEEPING_COMMITS, onDisk: WAITING_FOR_DISK }
/** A file system in memory: making a database of 700 files there takes 20 ms, on a disk up to 300. */
const MEMORY_FOLDER = '/dev/shm'
/** Bytes: databases of 11 MB each of as many tests as run at once, and the log. A container often has 64 MB of it. */
const MEMORY_WANTED = 2 * 1024 ** 3

/**
 * @param programs what `findPostgresPrograms` found
 * @param commits what has become of them after `crash`, and after the machine failed
 */
export async function startPrivatePostgres(
  programs: string,
  { commits = 'lost' }: { commits?: keyof typeof COMMITS } = {},
): Promise<PrivatePostgres> {
  const folder = await mkdtemp(join(commits === 'lost' ? await chooseParent() : tmpdir(), 'proofdesk-pg-'))
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  // Where the tests run on another day it keeps the true one, as another machine would: its timers need that.
  const env = { ...process.env, LD_PRELOAD: undefined }
  const options = { cwd: folder, env, ...account }
  const initdb = join(programs, 'initdb')
  // Most installations sort as people do; with "C", which sorts by bytes, a forgotten collation would not be seen.
  const { stdout: help } = await run(initdb, ['--help'], options)
  const sorting = help.includes('--icu-locale') ? ['--locale-provider=icu', '--icu-locale=en'] : []
  const common = ['-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C', ...sorting]
  await run(initdb, ['-D', join(folder, 'data'), ...common], options)

  const holder = spawn('sh', ['-c', HOLD, 'postgres', programs, folder, ...COMMITS[commits]], {
    ...options,
    // Beyond the reach of a Ctrl-C, which is meant for the tests.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  holder.stdin.on('error', () => {})
  const ended = once(holder, 'exit')
  holder.unref()
  // A pipe of a child process is a socket, which can be told not to keep this process running.
  if ('unref' in holder.stdin && typeof holder.stdin.unref === 'function') holder.stdin.unref()
  const stop = async () => {
    holder.ref()
    holder.stdin.end()
    await ended
  }
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  const answers = () =>
    askPostgres(url, 'select 1').then(
      () => true,
      () => false,
    )
  const waitUntil = async (isUp: boolean) => {
    for (const end = Date.now() + START_PATIENCE_MS; (await answers()) !== isUp;) {
      if (Date.now() > end) {
        const log = await readFile(join(folder, 'log'), 'utf8')
        await stop()
        throw new Error(`PostgreSQL did not ${isUp ? 'start' : 'end'}: ${log}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const tell = (line: 'halt' | 'crash' | 'resume') => void holder.stdin.write(`${line}\n`)
  await waitUntil(true)
  return {
    url,
    stop,
    halt: async () => {
      tell('halt')
      await waitUntil(false)
    },
    crash: async () => {
      tell('crash')
      await waitUntil(false)
    },
    resume: async () => {
      tell('resume')
      await waitUntil(true)
    },
  }
}

/** For data that nobody keeps. */
async function chooseParent(): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined)
  return memory !== undefined && memory.bavail * memory.bsize >= MEMORY_WANTED ? MEMORY_FOLDER : tmpdir()
}

/** Sends one statement on a connection of its own. */
export async function askPostgres(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  // A connection that is cut off while it ends complains to nobody.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
