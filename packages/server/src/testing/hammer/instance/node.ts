import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { BARE_ENVIRONMENT } from '../../bare-environment.ts'

const MAIN = join(import.meta.dirname, '../../../start/main.ts')
const READY_PATIENCE_MS = 60_000
/** Room on the disk of a node: for what comes in and goes out, which lies in the store otherwise. */
const DISK = '48m'

/** Debian's package libfaketime; undefined: no clock jumps. */
export const [FAKETIME] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
/** Whether each node may have a small disk of its own, which is full at will. */
export const HAS_SMALL_DISKS = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0

/**
 * The server in a group of processes of its own, which all end when the hammer does, however that ends: a watcher reads from
 * it until there is nothing more to read. Its small disk is mounted where nobody else sees it.
 */
const HOLD = `
  disk=$1
  shift
  if [ -n "$disk" ]; then mount -t tmpfs -o size=${DISK},mode=0700 tmpfs "$disk" || exit 1; fi
  exec 3<&0
  (read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 &
  exec 3<&-
  exec "$@" </dev/null`

export interface NodeSettings {
  name: string
  port: number
  dataDir: string
  /** All that the nodes of an installation have in common. */
  shared: Record<string, string>
  /** Whether its clock may be set. */
  hasOwnClock: boolean
}

/** One of several servers of an installation, which is started, ended and held at will. */
export interface HammerNode {
  name: string
  url: string
  isUp(): boolean
  /** Resolves once it says that it is ready. @throws Error when it ends instead */
  start(): Promise<void>
  /** Its process alone, or all of it, as when a machine fails. */
  kill(all: boolean): Promise<void>
  /** As an operator ends it. */
  terminate(): Promise<void>
  stop(): void
  resume(): void
  setClock(aheadMs: number): Promise<void>
  /** To the last byte. */
  fillDisk(): Promise<void>
  clearDisk(): Promise<void>
  /** What it has logged since its first start. */
  log: LogLine[]
}

/** A line, and when it came, by the clock of this process. */
export interface LogLine {
  at: number
  text: string
}

export function makeNode({ name, port, dataDir, shared, hasOwnClock }: NodeSettings): HammerNode {
  const url = `http://127.0.0.1:${port}`
  const clock = `${dataDir}.clock`
  const log: LogLine[] = []
  let child: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const send = (signal: NodeJS.Signals, all: boolean) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    try {
      process.kill(all ? -child.pid : child.pid, signal)
    } catch {
      // It ended just now.
    }
  }
  /** What is left of its group once it has ended. */
  const sweep = (pid: number | undefined) => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // Nothing is left.
    }
  }

  async function start(): Promise<void> {
    const env: Record<string, string> = {
      ...BARE_ENVIRONMENT,
      LOG_LEVEL: 'warn',
      ...shared,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...(hasOwnClock && FAKETIME !== undefined && makeClockEnvironment(FAKETIME, clock)),
    }
    if (hasOwnClock) await writeFile(clock, '+0')
    const program = ['sh', '-c', HOLD, 'node', HAS_SMALL_DISKS ? dataDir : '', process.execPath, MAIN]
    const words = HAS_SMALL_DISKS ? ['unshare', '--mount', ...program] : program
    const started = spawn(words[0]!, words.slice(1), { env, cwd: shared['KEYS_DIR'], detached: true })
    child = started
    started.stdin.on('error', () => {})
    let out = ''
    started.stdout.on('data', (piece: Buffer) => (out = (out + piece.toString()).slice(-2000)))
    let rest = ''
    started.stderr.on('data', (piece: Buffer) => {
      const lines = (rest + piece.toString()).split('\n')
      rest = lines.pop() ?? ''
      log.push(...lines.map((line) => ({ at: performance.now(), text: line })))
    })
    ended = once(started, 'exit').finally(() => {
      if (rest !== '') log.push({ at: performance.now(), text: rest })
      setTimeout(sweep, 200, started.pid).unref()
    })
    for (const end = performance.now() + READY_PATIENCE_MS; !out.includes('is ready'); await pause(20)) {
      if (started.exitCode !== null || started.signalCode !== null)
        throw new Error(`node ${name} ended: ${rest || log.at(-1)?.text}`)
      if (performance.now() > end) throw new Error(`node ${name} does not start`)
    }
  }

  const findFiller = () => (HAS_SMALL_DISKS ? `/proc/${child?.pid}/root${join(dataDir, 'filler')}` : undefined)

  return {
    name,
    url,
    log,
    start,
    isUp: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    kill: async (all) => {
      send('SIGCONT', true)
      send('SIGKILL', all)
      await ended
      sweep(child?.pid)
    },
    terminate: async () => {
      send('SIGCONT', true)
      send('SIGTERM', false)
      await ended
    },
    stop: () => send('SIGSTOP', false),
    resume: () => send('SIGCONT', false),
    setClock: (aheadMs) => writeFile(clock, `${aheadMs < 0 ? '-' : '+'}${Math.abs(Math.round(aheadMs / 1000))}`),
    fillDisk: async () => {
      const filler = findFiller()
      // More than there is room for: what fits is written, and then it fails.
      if (filler !== undefined) await writeFile(filler, Buffer.alloc(64 * 1024 * 1024)).catch(() => {})
    },
    clearDisk: async () => {
      const filler = findFiller()
      if (filler !== undefined) await rm(filler, { force: true }).catch(() => {})
    },
  }
}

function makeClockEnvironment(library: string, clock: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    // How long something takes stays true.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
  }
}
