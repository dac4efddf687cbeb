// A process of its own that sends requests and says how long the answers took: `node send.ts PLAN`. It says `ready` when it
// is, and begins at the first word it is told.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openConnection, type Connection } from './connection.ts'
import type { LoadPlan, LoadRequest, LoadResult } from './plan.ts'

const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan
const requests = plan.requests.map(writeRequest)
const times: number[] = []
/** Of those that are sent once. */
let taken = 0
const statuses: Record<string, number> = {}
const waiting = plan.every === undefined ? [] : await openAll()
process.stdout.write('ready\n')
await once(process.stdin, 'data')
const cpu = process.cpuUsage()
const begin = performance.now()
const end = begin + plan.lasts

if (plan.every === undefined)
  await Promise.all(
    Array.from({ length: plan.connections }, (_, index) => (plan.once ? sendOnce() : sendWithoutPause(index))),
  )
else await sendEvery(plan.every, waiting)

const seconds = (performance.now() - begin) / 1000
const { user, system } = process.cpuUsage(cpu)
times.sort((a, b) => a - b)
const result: LoadResult = {
  count: times.length,
  seconds,
  senderCpuSeconds: (user + system) / 1e6,
  p50: findShare(0.5),
  p99: findShare(0.99),
  longest: findShare(1),
  statuses,
}
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))

function findShare(share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
}

function writeRequest({ method, path, headers = {}, body }: LoadRequest): string {
  const length: Record<string, string> = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
  const lines = Object.entries({ host: `127.0.0.1:${plan.port}`, ...headers, ...length })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`
}

async function send(connection: Connection, turn: number, since: number): Promise<void> {
  const status = await connection.ask(requests[turn % requests.length] ?? '')
  times.push(performance.now() - since)
  statuses[status] = (statuses[status] ?? 0) + 1
}

async function sendWithoutPause(index: number): Promise<void> {
  const connection = openConnection(plan.port)
  for (let turn = index; performance.now() < end; turn += plan.connections)
    await send(connection, turn, performance.now())
}

async function sendOnce(): Promise<void> {
  const connection = openConnection(plan.port)
  while (taken < requests.length) await send(connection, taken++, performance.now())
}

/**
 * Measured from when each was due: what keeps it from being sent in time is no excuse. Only as long as more are under way
 * than there are connections does one wait for another.
 */
async function sendEvery(ms: number, free: Connection[]): Promise<void> {
  const sent: Promise<void>[] = []
  let freed = Promise.withResolvers<void>()
  for (let turn = 0; begin + turn * ms < end; turn += 1) {
    const due = begin + turn * ms
    // A timer may come a little before its time.
    while (performance.now() < due) await pause(due - performance.now())
    while (free.length === 0) await freed.promise
    const connection = free.pop() ?? openConnection(plan.port)
    sent.push(
      send(connection, turn, due).finally(() => {
        free.push(connection)
        freed.resolve()
        freed = Promise.withResolvers()
      }),
    )
  }
  await Promise.all(sent)
}

/** Connections of people who are there already: coming in is another thing than asking. */
async function openAll(): Promise<Connection[]> {
  const opened = Array.from({ length: plan.connections }, () => openConnection(plan.port))
  await Promise.all(opened.map((connection) => connection.ask(requests[0] ?? '')))
  return opened
}
