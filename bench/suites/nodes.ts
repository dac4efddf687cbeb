import { API_BASE } from '@proofdesk/contract/route'
import type { FilledFacts } from '../fill/filled.ts'
import type { LoadRequest } from '../load/plan.ts'
import { prepareLoad, type Measured } from '../load/run-load.ts'
import type { Effort } from '../options.ts'
import { withPostgresInstance, type PostgresInstance } from '../postgres-instance.ts'
import { whyNoPostgres, type BenchPostgres } from '../processes/postgres.ts'
import { readCpuSeconds } from '../processes/process-facts.ts'
import { signIn, startProduct } from '../processes/product.ts'
import type { Running } from '../processes/running.ts'
import { findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

/** Of each node: nodes are added because more people come. */
const CONNECTIONS = 16
const WARM_ROUNDS = 6

/** What people read, of three nodes on one PostgreSQL and of one of them: more nodes must not cost more. */
export const measureNodes: Suite = async ({ effort }) => {
  const missing = whyNoPostgres()
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  return withPostgresInstance({ collections: effort.small, certified: 1 }, (instance) => {
    // The folder is their shared disk.
    const start = () => startProduct(instance.folder, { env: instance.env, part: 'everywhere' })
    return withServers([start, start, start], async (...nodes) => ({
      figures: [await measureReads(nodes, instance, effort)],
      leftOut: [],
    }))
  })
}

async function measureReads(
  nodes: Running[],
  instance: PostgresInstance,
  { rounds, lasts, warmsUp }: Effort,
): Promise<Figure> {
  const [first] = nodes
  if (!first) throw new Error('there is no node')
  const requests = await listReads(first, instance)
  const read = (some: Running[], ms: number) => readFromAll(some, instance.postgres, requests, ms)
  const measured: Record<'three' | 'one', Measured[]> = { three: [], one: [] }
  // Each has a third of the work when they are three, so each is warmed up as long as they all are measured.
  if (warmsUp > 0) for (const node of nodes) await read([node], warmsUp * WARM_ROUNDS)
  for (let round = 0; round < rounds; round += 1) {
    measured.three.push(await read(nodes, lasts))
    measured.one.push(await read([first], lasts))
  }
  return {
    name: 'reads of three nodes / of one',
    against: `own list, one collection, staff list, notifications and a certified PDF from one PostgreSQL, answers a CPU second of nodes and PostgreSQL`,
    value: findRatio(readRates(measured.three), readRates(measured.one)),
    unit: 'x',
    better: 'more',
    must: 0.9,
    raw: [toRaw('three nodes', measured.three), toRaw('one node', measured.one)],
  }
}

async function listReads(node: Running, { owner, staff, certified }: FilledFacts): Promise<LoadRequest[]> {
  const own = await signIn(node, owner.username)
  const url = `http://127.0.0.1:${node.port}${API_BASE}/collections/`
  const { results } = (await (await fetch(url, { headers: own })).json()) as { results: { id: number }[] }
  const [proof] = certified
  const get = (path: string, headers: Record<string, string>): LoadRequest => ({
    method: 'GET',
    path: `${API_BASE}${path}`,
    headers,
  })
  return [
    get('/collections/', own),
    get(`/collections/${results[0]?.id}`, own),
    get('/notification/', own),
    get('/collections/', await signIn(node, staff)),
    get(`/service-content-servers/get-pdfs/?${new URLSearchParams({ ...proof })}`, {}),
  ]
}

/** The same load on each of them. */
async function readFromAll(
  nodes: Running[],
  postgres: BenchPostgres,
  requests: LoadRequest[],
  lasts: number,
): Promise<Measured> {
  const loads = await Promise.all(nodes.map((node) => prepareLoad(node, { connections: CONNECTIONS, lasts, requests })))
  const readCpu = () => [...nodes, postgres].reduce((sum, { pid }) => sum + readCpuSeconds(pid), 0)
  const before = readCpu()
  const parts = await Promise.all(loads.map((load) => load.send()))
  const cpuSeconds = readCpu() - before
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const seconds = Math.max(...parts.map((part) => part.seconds))
  const worst = (time: 'p50' | 'p99' | 'longest') => Math.max(...parts.map((part) => part[time]))
  return {
    count,
    seconds,
    senderCpuSeconds: parts.reduce((sum, part) => sum + part.senderCpuSeconds, 0),
    p50: worst('p50'),
    p99: worst('p99'),
    longest: worst('longest'),
    statuses: {},
    rate: count / seconds,
    perCpuSecond: cpuSeconds > 0 ? count / cpuSeconds : 0,
  }
}
