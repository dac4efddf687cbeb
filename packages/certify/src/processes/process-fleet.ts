import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { packError } from '../error-data.ts'
import { CertifyError } from '../errors.ts'
import { findCompiled, listHeapFlags, PARSING_PROGRAM } from './parsing-program.ts'
import { type Desk, openDesk } from './desk.ts'
import type { ParsingAnswer, ParsingJob, ProcessMessage } from './messages.ts'
import { readProcessorTime } from './processor-time.ts'
import { readPeakMemory, readResidentMemory } from './resident-memory.ts'
import { createTurns, takeNextTask, type Turns } from './take-turns.ts'

/** What became of a job: an answer, or the reason why its process was killed. */
export type JobOutcome = ParsingAnswer | { kind: 'killed'; reason: KillReason }
type KillReason = 'too_slow' | 'too_much_memory'

export interface FleetOptions {
  /** Most processes at once; they are started when needed and kept. */
  size: number
  /** What its processes are asked for; they have loaded it before they take a job up, and anything else with its first job. */
  kinds?: readonly ParsingJob['kind'][]
  /** A process whose resident memory passes this is killed. */
  memoryBytes: number
  /** Where the processes have their folders; best on the disk of the files they read. */
  workDir: string
  /** A process that has had nothing to do for so long is ended; kept for ever when absent. */
  idleMs?: number
  /** Nobody waits for what it does: whatever else there is to do comes first. */
  isUnhurried?: boolean
  /** Jobs that may wait, for each process. */
  waitingPerProcess?: number
}

export interface JobLimits {
  /** From the moment a process takes the job up. */
  deadlineMs: number
  /** A job that no process has taken up within this time is given up; it waits for as long as it takes when absent. */
  waitMs?: number | undefined
  /** Processor time that a job may take, where it can be known; unlike the deadline it does not count waiting for others. */
  processorMs?: Promise<number> | undefined
  /** Who asked. One asker never holds all processes, and those who hold fewer are served first. */
  askedBy?: number | undefined
  /** It ends what has been begun: it is taken up before all that only begins, so that what comes first is done first. */
  isLastStep?: boolean | undefined
}

/** Keeps warm processes for untrusted work. A job never waits for one that was killed or has crashed. */
export interface ProcessFleet {
  /**
   * @throws CertifyError `worker_lost` when the process ended by itself twice, `no_process` when none could be started,
   * `crowded` when too many jobs wait already, this one has waited too long, or the machine was too busy to do it in time, `closed`
   * when the fleet is closed.
   */
  run(job: ParsingJob, limits: JobLimits): Promise<JobOutcome>
  processIds(): number[]
  close(): Promise<void>
}

const START_DEADLINE_MS = 60_000
const MEMORY_CHECK_MS = 40
/** A process that has become this large is replaced after its job, so that a rare giant does not stay resident. */
const RECYCLE_SHARE = 0.5
const MAX_ATTEMPTS = 2
/** Who got less of a processor than that until its deadline was kept waiting by others: that is not the fault of the file. */
const BUSY_SHARE = 0.5
/** So many starts that fail one after the other, with no process left, are no accident. */
const MAX_FAILED_STARTS = 3
/** Jobs that wait, for each process; whoever comes then is better told at once than kept waiting. */
const MAX_WAITING_PER_PROCESS = 50

interface Task {
  job: ParsingJob
  limits: JobLimits
  attempts: number
  /** While it waits for a process. */
  patience: NodeJS.Timeout | undefined
  resolve: (outcome: JobOutcome) => void
  reject: (error: CertifyError) => void
}

interface Member {
  child: ChildProcess
  desk: Desk
  isReady: boolean
  task: Task | undefined
  /** It has answered, and what it leaves is put away. */
  isClearing: boolean
  killedFor: KillReason | 'crowded' | undefined
  timer: NodeJS.Timeout | undefined
  memoryWatch: NodeJS.Timeout | undefined
}

interface Fleet {
  options: FleetOptions
  members: Set<Member>
  queue: Task[]
  turns: Turns
  /** Since a process last said something. */
  failedStarts: number
  isClosed: boolean
}

export function openProcessFleet(options: FleetOptions): ProcessFleet {
  const fleet: Fleet = {
    options,
    members: new Set(),
    queue: [],
    turns: createTurns(),
    failedStarts: 0,
    isClosed: false,
  }
  return {
    run(job, limits) {
      return new Promise((resolve, reject) => {
        if (fleet.isClosed) {
          reject(new CertifyError('closed', 'the pool is closed'))
          return
        }
        if (fleet.queue.length >= options.size * (options.waitingPerProcess ?? MAX_WAITING_PER_PROCESS)) {
          reject(new CertifyError('crowded', 'too many jobs wait for a parsing process'))
          return
        }
        const task: Task = { job, limits, attempts: 0, patience: undefined, resolve, reject }
        addTask(fleet.queue, task)
        startWaiting(fleet, task)
        handOut(fleet)
      })
    },
    processIds: () => [...fleet.members].flatMap(({ child }) => (child.pid === undefined ? [] : [child.pid])),
    close: () => closeFleet(fleet),
  }
}

function addTask(queue: Task[], task: Task): void {
  const firstOther = task.limits.isLastStep ? queue.findIndex(({ limits }) => !limits.isLastStep) : -1
  queue.splice(firstOther === -1 ? queue.length : firstOther, 0, task)
}

/** A process that was started for a job that is given up stays for the next. */
function startWaiting({ queue }: Fleet, task: Task): void {
  const { waitMs } = task.limits
  if (waitMs === undefined) return
  task.patience = setTimeout(() => {
    queue.splice(queue.indexOf(task), 1)
    task.reject(new CertifyError('crowded', 'no parsing process took the job up in time'))
  }, waitMs)
}

/** Gives waiting jobs to idle processes, and starts processes while there are more jobs than processes. */
function handOut(fleet: Fleet): void {
  for (const member of fleet.members) {
    if (!member.isReady || member.task !== undefined || member.isClearing || member.killedFor !== undefined) continue
    const running = [...fleet.members].flatMap(({ task: held }) => (held === undefined ? [] : [held.limits.askedBy]))
    const task = takeNextTask(fleet.queue, fleet.turns, running, fleet.options.size)
    if (task === undefined) return
    startTask(fleet, member, task)
  }
  // those that run go on alone where others do not start
  if (fleet.failedStarts >= MAX_FAILED_STARTS && fleet.members.size > 0) return
  const starting = [...fleet.members].filter((member) => !member.isReady).length
  const missing = Math.min(fleet.queue.length - starting, fleet.options.size - fleet.members.size)
  for (let i = 0; i < missing; i++) startMember(fleet)
}

function startMember(fleet: Fleet): void {
  const desk = openDesk(fleet.options.workDir, findCompiled())
  const child = fork(PARSING_PROGRAM, [...(fleet.options.kinds ?? [])], {
    // nothing of ours is inherited: neither secrets nor flags such as --watch or --test
    env: {
      PATH: process.env.PATH ?? '',
      NODE_NO_WARNINGS: '1',
      ...(desk.compiled !== undefined && { NODE_COMPILE_CACHE: desk.compiled }),
    },
    execArgv: [...listHeapFlags(fleet.options.memoryBytes), ...desk.permissions],
    // what a parser prints may quote the file
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  const member: Member = {
    child,
    desk,
    isReady: false,
    task: undefined,
    isClearing: false,
    killedFor: undefined,
    timer: undefined,
    memoryWatch: undefined,
  }
  member.timer = setTimeout(() => child.kill('SIGKILL'), START_DEADLINE_MS)
  yieldToServer(child, fleet.options.isUnhurried)
  fleet.members.add(member)
  child.on('message', (message) => takeMessage(fleet, member, message as ProcessMessage))
  child.on('exit', (code, signal) => loseMember(fleet, member, code, signal))
  // only one that was never started has no id; the others live on when a signal or a message does not reach them
  child.on('error', () => child.pid === undefined && loseMember(fleet, member, null, null))
}

/** Requests are answered first where there are fewer cores than work. */
function yieldToServer(child: ChildProcess, isUnhurried = false): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  try {
    if (child.pid !== undefined) setPriority(child.pid, isUnhurried ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  } catch {
    // not allowed everywhere, and it may have ended already: then all are equal
  }
}

function startTask(fleet: Fleet, member: Member, task: Task): void {
  clearTimeout(member.timer)
  clearTimeout(task.patience)
  member.task = task
  task.attempts += 1
  const used = countProcessorTime(member)
  member.timer = setTimeout(() => void endLate(member, task, used), task.limits.deadlineMs)
  member.memoryWatch = watchUse(fleet, member, task, used)
  member.child.ref()
  member.child.channel?.ref()
  void sendJob(member, task)
}

async function sendJob(member: Member, task: Task): Promise<void> {
  const job = await member.desk.place(task.job)
  // a process that has just ended reports it by its exit event, which puts the task back
  if (member.task === task) member.child.send(job, () => undefined)
  else await member.desk.remove().catch(() => undefined)
}

/** @returns what tells how much processor time the job has taken so far; undefined where that cannot be known. */
function countProcessorTime({ child: { pid } }: Member): () => number | undefined {
  const before = pid === undefined ? undefined : readProcessorTime(pid)
  return () => {
    const now = pid === undefined || before === undefined ? undefined : readProcessorTime(pid)
    return now === undefined || before === undefined ? undefined : now - before
  }
}

async function endLate(member: Member, task: Task, countUsed: () => number | undefined): Promise<void> {
  const [used, { deadlineMs, processorMs }] = [countUsed(), task.limits]
  const most = (await processorMs) ?? Infinity
  const isBusy = used !== undefined && used < Math.min(most, deadlineMs * BUSY_SHARE)
  if (member.task === task) killMember(member, isBusy ? 'crowded' : 'too_slow')
}

function watchUse(fleet: Fleet, member: Member, { limits }: Task, countUsed: () => number | undefined): NodeJS.Timeout {
  const check = async (): Promise<void> => {
    if (member.child.pid === undefined) return
    endIfTooLarge(fleet, member)
    const most = await limits.processorMs
    // it may have taken up another job meanwhile
    if (member.memoryWatch !== watch || most === undefined) return
    const used = countUsed()
    if (used !== undefined && used > most) killMember(member, 'too_slow')
  }
  const watch = setInterval(() => void check(), MEMORY_CHECK_MS)
  return watch
}

/** By the most that it ever held: whether a file is refused must not depend on the moments at which somebody looks. */
function endIfTooLarge(fleet: Fleet, member: Member): void {
  const bytes = member.child.pid === undefined ? undefined : readPeakMemory(member.child.pid)
  if (bytes !== undefined && bytes > fleet.options.memoryBytes) killMember(member, 'too_much_memory')
}

function killMember(member: Member, reason: KillReason | 'crowded'): void {
  if (member.task === undefined || member.killedFor !== undefined) return
  // what lives on may still answer
  if (member.child.kill('SIGKILL')) member.killedFor = reason
}

function stopWatching(member: Member): void {
  clearTimeout(member.timer)
  clearInterval(member.memoryWatch)
}

function takeMessage(fleet: Fleet, member: Member, message: ProcessMessage): void {
  if (message.kind !== 'ready') endIfTooLarge(fleet, member)
  if (member.killedFor !== undefined) return
  stopWatching(member)
  fleet.failedStarts = 0
  const { task } = member
  if (message.kind === 'ready') member.isReady = true
  else if (task !== undefined) {
    member.task = undefined
    member.isClearing = true
    void finishTask(fleet, member, task, message)
    return
  }
  restMember(fleet, member)
}

/** What was built is at its place, and the desk is clear, before anybody hears of it. */
async function finishTask(fleet: Fleet, member: Member, task: Task, message: ParsingAnswer): Promise<void> {
  let answer = message
  try {
    if (message.kind === 'built' || message.kind === 'prepared') await member.desk.collect(task.job)
  } catch (error) {
    answer = { kind: 'failed', error: packError(error, 'build_failed') }
  }
  await member.desk.clear().catch(() => undefined)
  task.resolve(answer)
  member.isClearing = false
  recycleMember(fleet, member)
  restMember(fleet, member)
}

function restMember(fleet: Fleet, member: Member): void {
  // closing waits for its end
  if (fleet.isClosed) return
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

function recycleMember(fleet: Fleet, member: Member): void {
  const bytes = member.child.pid === undefined ? undefined : readResidentMemory(member.child.pid)
  const isLarge = bytes !== undefined && bytes > fleet.options.memoryBytes * RECYCLE_SHARE
  if (isLarge && member.task === undefined && fleet.members.delete(member)) member.child.kill('SIGKILL')
}

function loseMember(fleet: Fleet, member: Member, code: number | null, signal: NodeJS.Signals | null): void {
  stopWatching(member)
  fleet.members.delete(member)
  const { task, killedFor } = member
  member.task = undefined
  void member.desk.remove().catch(() => undefined)
  if (task !== undefined) {
    // V8 aborts when its heap is full
    const isHeapFull = signal === 'SIGABRT' || code === 134
    if (killedFor === 'crowded') task.reject(new CertifyError('crowded', 'it had no processor for most of its time'))
    else if (killedFor !== undefined) task.resolve({ kind: 'killed', reason: killedFor })
    else if (isHeapFull) task.resolve({ kind: 'killed', reason: 'too_much_memory' })
    else if (fleet.isClosed) task.reject(new CertifyError('closed', 'the pool was closed'))
    else if (task.attempts < MAX_ATTEMPTS) {
      fleet.queue.unshift(task)
      startWaiting(fleet, task)
    } else task.reject(new CertifyError('worker_lost', `a parsing process ended with ${signal ?? code}`))
  }
  if (fleet.isClosed) return
  if (!member.isReady) fleet.failedStarts += 1
  if (fleet.failedStarts >= MAX_FAILED_STARTS && fleet.members.size === 0) failWaiting(fleet)
  handOut(fleet)
}

/** Processes that do not even start would otherwise be started for ever. */
function failWaiting(fleet: Fleet): void {
  fleet.failedStarts = 0
  for (const task of emptyQueue(fleet)) {
    task.reject(new CertifyError('no_process', 'a parsing process could not be started'))
  }
}

function emptyQueue(fleet: Fleet): Task[] {
  const tasks = fleet.queue.splice(0)
  for (const { patience } of tasks) clearTimeout(patience)
  return tasks
}

async function closeFleet(fleet: Fleet): Promise<void> {
  fleet.isClosed = true
  const desks = [...fleet.members].map(({ desk }) => desk)
  for (const task of emptyQueue(fleet)) task.reject(new CertifyError('closed', 'the pool was closed'))
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
  await Promise.all(desks.map((desk) => desk.remove().catch(() => undefined)))
}
