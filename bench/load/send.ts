// A process of its own that sends requests and says how long the answers took: `node send.ts PLAN`.
import { setTimeout as pause } from 'node:timers/promises'
import { openConnection, type Connection } from './connection.ts'
import type { LoadPlan, LoadRequest, LoadResult } from './plan.ts'

const plan = JSON.parse(process.argv[2] ?? '') as LoadPlan
const requests = plan.requests.map(writeRequest)
const times: number[] = []
const statuses: Record<string, number> = {}
const cpu = process.cpuUsage()
const begin = performance.now()
const end = begin + plan.lasts

if (plan.every === undefined)
  await Promise.all(Array.from({ length: plan.connections }, (_, index) => sendWithoutPause(index)))
else await sendEvery(plan.every)

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
process.stdout.write(JSON.stringify(result))
process.exit(0)

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

/** Measured from when each was due: what keeps this process from sending in time is no excuse. */
async function sendEvery(ms: number): Promise<void> {
  const free: Connection[] = []
  const sent: Promise<void>[] = []
  for (let turn = 0; begin + turn * ms < end; turn += 1) {
    const due = begin + turn * ms
    if (due > performance.now()) await pause(due - performance.now())
    const connection = free.pop() ?? openConnection(plan.port)
    sent.push(send(connection, turn, due).then(() => void free.push(connection)))
  }
  await Promise.all(sent)
}
