import { fork, type ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { AppError } from '../../errors.ts'
import { isSqliteOutage, sayOutage } from '../outage.ts'
import type { Answer, Question, Ready } from './reading-process.ts'

export interface ReadingLimits {
  /** Most processes at once. */
  size: number
  /** From the moment a process that reads questions is asked, in milliseconds. */
  deadlineMs: number
  /** For a process, in milliseconds. */
  waitMs: number
  /** A process that was asked nothing for so long is ended, in milliseconds. */
  idleMs: number
  /** As `os.setPriority` takes it: requests that are answered quickly come first where there are fewer cores than work. */
  priority: number
  /** Whether another process takes the place of one that was lost while somebody held it. */
  startsAnew: boolean
}

/** A new one reads no question before it has begun, which takes a busy machine longer than many an answer. */
const START_MS = 10_000

/** Many times what a question takes that an index answers. */
export const READING_LIMITS: ReadingLimits = {
  size: 2,
  deadlineMs: 3000,
  waitMs: 5000,
  idleMs: 60_000,
  priority: constants.priority.PRIORITY_BELOW_NORMAL,
  startsAnew: true,
}

/** One who asks, and nobody else meanwhile. */
export interface Reader {
  /** @throws AppError `read_timed_out` past the deadline, `database_unavailable`. */
  ask(question: Question): Promise<Record<string, unknown>[]>
  /** Once, when nothing is being asked. */
  giveBack(): void
}

/** Processes that read a SQLite database beside the server; they are started when needed. */
export interface ReadingProcesses {
  /** @throws AppError `read_timed_out` when none becomes free in time, `database_unavailable` when all is closed. */
  take(): Promise<Reader>
  close(): Promise<void>
}

interface Waiting {
  resolve: (reader: Reader) => void
  reject: (error: AppError) => void
  patience: NodeJS.Timeout
}

interface Pool {
  path: string
  limits: ReadingLimits
  living: Set<ChildProcess>
  /** Those that have begun. */
  ready: WeakSet<ChildProcess>
  /** Those that nobody holds, each with the timer of its end. */
  idle: Map<ChildProcess, NodeJS.Timeout>
  readers: number
  waiting: Waiting[]
  isClosed: boolean
}

export function openReadingProcesses(path: string, limits = READING_LIMITS): ReadingProcesses {
  const living = new Set<ChildProcess>()
  const ready = new WeakSet<ChildProcess>()
  const pool: Pool = { path, limits, living, ready, idle: new Map(), readers: 0, waiting: [], isClosed: false }
  return {
    take: () =>
      new Promise((resolve, reject) => {
        if (pool.isClosed) reject(sayClosed())
        else if (pool.readers < limits.size) resolve(makeReader(pool))
        else pool.waiting.push(waitFor(pool, resolve, reject))
      }),
    close: () => closePool(pool),
  }
}

const sayClosed = () => sayOutage(new Error('the database is closed'))
const sayLost = () => sayOutage(new Error('a reading process was lost'))

function waitFor({ waiting, limits }: Pool, resolve: Waiting['resolve'], reject: Waiting['reject']): Waiting {
  const giveUp = () => {
    waiting.splice(waiting.indexOf(one), 1)
    reject(new AppError('read_timed_out', { cause: new Error('no process became free to read') }))
  }
  const one: Waiting = { resolve, reject, patience: setTimeout(giveUp, limits.waitMs) }
  return one
}

function makeReader(pool: Pool): Reader {
  pool.readers += 1
  let child = takeIdle(pool)
  return {
    ask: (question) => {
      if (pool.isClosed) return Promise.reject(sayClosed())
      if (child !== undefined && !pool.limits.startsAnew && !pool.living.has(child)) return Promise.reject(sayLost())
      if (child === undefined || !pool.living.has(child)) child = startProcess(pool)
      return ask(pool, child, question)
    },
    giveBack: () => {
      pool.readers -= 1
      if (child !== undefined && pool.living.has(child)) rest(pool, child)
      const next = pool.waiting.shift()
      if (next === undefined) return
      clearTimeout(next.patience)
      next.resolve(makeReader(pool))
    },
  }
}

function takeIdle({ idle }: Pool): ChildProcess | undefined {
  const [first] = idle
  if (first === undefined) return undefined
  const [child, timer] = first
  clearTimeout(timer)
  idle.delete(child)
  return child
}

function startProcess({ path, limits, living, idle }: Pool): ChildProcess {
  const child = fork(new URL('reading-process.ts', import.meta.url), [path], {
    // Nothing of ours is inherited but where Node keeps what it compiles: neither secrets nor flags such as --watch or --test.
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_NO_WARNINGS: '1',
      ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  letOthersGoFirst(child, limits.priority)
  living.add(child)
  const forget = () => {
    living.delete(child)
    clearTimeout(idle.get(child))
    idle.delete(child)
  }
  child.once('exit', forget)
  // One that could not be started has no id, and never exits.
  child.on('error', () => child.pid === undefined && forget())
  return child
}

function letOthersGoFirst({ pid }: ChildProcess, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // Not allowed everywhere, and it may have ended already.
  }
}

/** An idle process does not keep the program alive, and ends after a while. */
function rest({ living, idle, limits }: Pool, child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  const end = () => {
    living.delete(child)
    idle.delete(child)
    child.kill('SIGKILL')
  }
  idle.set(child, setTimeout(end, limits.idleMs).unref())
}

function ask(
  { living, ready, limits: { deadlineMs } }: Pool,
  child: ChildProcess,
  question: Question,
): Promise<Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    child.ref()
    child.channel?.ref()
    const settle = (done: () => void) => {
      clearTimeout(patience)
      child.off('message', take).off('exit', lose).off('error', lose)
      done()
    }
    // Killing is the only end: SQLite does not break off a statement that another thread asked for. An answer that came later
    // would be taken for that of the next question.
    const end = () => {
      living.delete(child)
      child.kill('SIGKILL')
    }
    const giveUpAfter = (ms: number) =>
      setTimeout(() => {
        end()
        const cause = new Error(`a read was given up after ${ms} ms`)
        settle(() => reject(new AppError('read_timed_out', { cause })))
      }, ms)
    // What a busy machine takes to start a process is not the question's.
    let patience = giveUpAfter(ready.has(child) ? deadlineMs : START_MS)
    const take = (message: Answer | Ready) => {
      if (message.kind === 'ready') {
        ready.add(child)
        clearTimeout(patience)
        patience = giveUpAfter(deadlineMs)
      } else settle(() => (message.kind === 'rows' ? resolve(toRows(message)) : reject(sayFailure(message))))
    }
    const lose = () => {
      end()
      settle(() => reject(sayLost()))
    }
    child.on('message', take).once('exit', lose).once('error', lose)
    child.send(question)
  })
}

function toRows({ columns, values }: Extract<Answer, { kind: 'rows' }>): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = []
  for (let at = 0; at < values.length; at += columns.length) {
    const row: Record<string, unknown> = {}
    for (const [index, name] of columns.entries()) row[name] = values[at + index]
    rows.push(row)
  }
  return rows
}

function sayFailure({ message, errcode }: Extract<Answer, { kind: 'failed' }>): Error {
  const cause = Object.assign(new Error(message), { errcode })
  return isSqliteOutage(cause) ? sayOutage(cause) : cause
}

async function closePool(pool: Pool): Promise<void> {
  pool.isClosed = true
  for (const { patience, reject } of pool.waiting.splice(0)) {
    clearTimeout(patience)
    reject(sayClosed())
  }
  const ends = [...pool.living].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of pool.living) {
    child.ref()
    child.kill('SIGKILL')
  }
  await Promise.all(ends)
}
