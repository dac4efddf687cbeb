import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { CertifyError } from '../errors.ts'
import type { ParsingAnswer, ParsingJob, ProcessMessage } from './messages.ts'
import { readResidentMemory } from './resident-memory.ts'

/** What became of a job: an answer, or the reason why its process was killed. */
export type JobOutcome = ParsingAnswer | { kind: 'killed'; reason: 'too_slow' | 'too_much_memory' }

export interface FleetOptions {
  /** Most processes at once; they are started when needed and kept. */
  size: number
  /** A process whose resident memory passes this is killed. */
  memoryBytes: number
  /** A process that has had nothing to do for so long is ended; kept for ever when absent. */
  idleMs?: number
}

/** Keeps warm processes for untrusted work. A job never waits for one that was killed or has crashed. */
export interface ProcessFleet {
  /**
   * @throws CertifyError `worker_lost` when the process ended by itself twice, `closed` when the fleet is closed.
   */
  run(job: ParsingJob, deadlineMs: number): Promise<JobOutcome>
  processIds(): number[]
  close(): Promise<void>
}

const START_DEADLINE_MS = 60_000
const MEMORY_CHECK_MS = 40
/** A process that has become this large is replaced after its job, so that a rare giant does not stay resident. */
const RECYCLE_SHARE = 0.5
const MAX_ATTEMPTS = 2

interface Task {
  job: ParsingJob
  deadlineMs: number
  attempts: number
  resolve: (outcome: JobOutcome) => void
  reject: (error: CertifyError) => void
}

interface Member {
  child: ChildProcess
  isReady: boolean
  task: Task | undefined
  killedFor: 'too_slow' | 'too_much_memory' | undefined
  timer: NodeJS.Timeout | undefined
  memoryWatch: NodeJS.Timeout | undefined
}

interface Fleet {
  options: FleetOptions
  members: Set<Member>
  queue: Task[]
  isClosed: boolean
}

export function openProcessFleet(options: FleetOptions): ProcessFleet {
  const fleet: Fleet = { options, members: new Set(), queue: [], isClosed: false }
  return {
    run(job, deadlineMs) {
      return new Promise((resolve, reject) => {
        if (fleet.isClosed) {
          reject(new CertifyError('closed', 'the pool is closed'))
          return
        }
        fleet.queue.push({ job, deadlineMs, attempts: 0, resolve, reject })
        handOut(fleet)
      })
    },
    processIds: () => [...fleet.members].flatMap(({ child }) => (child.pid === undefined ? [] : [child.pid])),
    close: () => closeFleet(fleet),
  }
}

/** Gives waiting jobs to idle processes, and starts processes while there are more jobs than processes. */
function handOut(fleet: Fleet): void {
  for (const member of fleet.members) {
    if (!member.isReady || member.task !== undefined || member.killedFor !== undefined) continue
    const task = fleet.queue.shift()
    if (task === undefined) return
    startTask(fleet, member, task)
  }
  const starting = [...fleet.members].filter((member) => !member.isReady).length
  const missing = Math.min(fleet.queue.length - starting, fleet.options.size - fleet.members.size)
  for (let i = 0; i < missing; i++) startMember(fleet)
}

function startMember(fleet: Fleet): void {
  const heapMegabytes = Math.floor((fleet.options.memoryBytes / (1 << 20)) * 0.75)
  const child = fork(new URL('parsing-process.ts', import.meta.url), [], {
    // nothing of ours is inherited: neither secrets nor flags such as --watch or --test
    env: { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1' },
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    // what a parser prints may quote the file
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  const member: Member = {
    child,
    isReady: false,
    task: undefined,
    killedFor: undefined,
    timer: undefined,
    memoryWatch: undefined,
  }
  member.timer = setTimeout(() => child.kill('SIGKILL'), START_DEADLINE_MS)
  yieldToServer(child)
  fleet.members.add(member)
  child.on('message', (message) => takeMessage(fleet, member, message as ProcessMessage))
  child.on('exit', (code, signal) => loseMember(fleet, member, code, signal))
  child.on('error', () => loseMember(fleet, member, null, null))
}

/** Requests are answered first where there are fewer cores than work. */
function yieldToServer(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // not allowed everywhere, and it may have ended already: then all are equal
  }
}

function startTask(fleet: Fleet, member: Member, task: Task): void {
  clearTimeout(member.timer)
  member.task = task
  task.attempts += 1
  member.timer = setTimeout(() => killMember(member, 'too_slow'), task.deadlineMs)
  member.memoryWatch = setInterval(() => void checkMemory(fleet, member), MEMORY_CHECK_MS)
  member.child.ref()
  member.child.channel?.ref()
  // a process that has just ended reports it by its exit event, which puts the task back
  member.child.send(task.job, () => undefined)
}

async function checkMemory(fleet: Fleet, member: Member): Promise<void> {
  const bytes = member.child.pid === undefined ? undefined : await readResidentMemory(member.child.pid)
  if (bytes !== undefined && bytes > fleet.options.memoryBytes) killMember(member, 'too_much_memory')
}

function killMember(member: Member, reason: 'too_slow' | 'too_much_memory'): void {
  if (member.task === undefined || member.killedFor !== undefined) return
  member.killedFor = reason
  member.child.kill('SIGKILL')
}

function stopWatching(member: Member): void {
  clearTimeout(member.timer)
  clearInterval(member.memoryWatch)
}

function takeMessage(fleet: Fleet, member: Member, message: ProcessMessage): void {
  if (member.killedFor !== undefined) return
  stopWatching(member)
  const { task } = member
  if (message.kind === 'ready') member.isReady = true
  else {
    member.task = undefined
    task?.resolve(message)
    void recycleMember(fleet, member)
  }
  // an idle process must not keep the program alive
  member.child.unref()
  member.child.channel?.unref()
  endWhenIdle(fleet, member)
  handOut(fleet)
}

function endWhenIdle({ options: { idleMs }, members }: Fleet, member: Member): void {
  if (idleMs === undefined) return
  member.timer = setTimeout(() => {
    if (member.task === undefined && members.delete(member)) member.child.kill('SIGKILL')
  }, idleMs)
  member.timer.unref()
}

async function recycleMember(fleet: Fleet, member: Member): Promise<void> {
  const bytes = member.child.pid === undefined ? undefined : await readResidentMemory(member.child.pid)
  const isLarge = bytes !== undefined && bytes > fleet.options.memoryBytes * RECYCLE_SHARE
  if (isLarge && member.task === undefined && fleet.members.delete(member)) member.child.kill('SIGKILL')
}

function loseMember(fleet: Fleet, member: Member, code: number | null, signal: NodeJS.Signals | null): void {
  stopWatching(member)
  fleet.members.delete(member)
  const { task, killedFor } = member
  member.task = undefined
  if (task !== undefined) {
    // V8 aborts when its heap is full
    const isHeapFull = signal === 'SIGABRT' || code === 134
    if (killedFor !== undefined) task.resolve({ kind: 'killed', reason: killedFor })
    else if (isHeapFull) task.resolve({ kind: 'killed', reason: 'too_much_memory' })
    else if (fleet.isClosed) task.reject(new CertifyError('closed', 'the pool was closed'))
    else if (task.attempts < MAX_ATTEMPTS) fleet.queue.unshift(task)
    else task.reject(new CertifyError('worker_lost', `a parsing process ended with ${signal ?? code}`))
  }
  if (!member.isReady && !fleet.isClosed) failWaiting(fleet)
  if (!fleet.isClosed) handOut(fleet)
}

/** A process that does not even start would otherwise be started for ever. */
function failWaiting(fleet: Fleet): void {
  for (const task of fleet.queue.splice(0)) {
    task.reject(new CertifyError('worker_lost', 'a parsing process could not be started'))
  }
}

async function closeFleet(fleet: Fleet): Promise<void> {
  fleet.isClosed = true
  for (const task of fleet.queue.splice(0)) task.reject(new CertifyError('closed', 'the pool was closed'))
  const ended = [...fleet.members].map(
    ({ child }) =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) resolve()
        else child.once('exit', () => resolve())
      }),
  )
  for (const { child } of fleet.members) {
    child.ref()
    child.kill('SIGKILL')
  }
  await Promise.all(ended)
}
