import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import type { Config } from '../../config/config.ts'
import { openLogger } from '../../logger.ts'
import { readSaid, type Said } from './said.ts'

/** How long after a process has ended another takes its place. */
const REPLACE_AFTER_MS = 1000
/** Longer than one takes to end by itself. */
const END_WITHIN_MS = 25_000

/**
 * Keeps `WEB_CONCURRENCY` processes that serve one port. The first starts alone: it brings the database up to date and makes
 * the keys of a new installation. One that ends by itself is replaced; connections go to them in turns.
 */
export async function leadProcesses({ webConcurrency, publicUrl, logLevel }: Config): Promise<void> {
  const logger = openLogger(logLevel)
  const announce = (line: string) => void process.stdout.write(`${line}\n`)
  const aggregator = new AggregatorRegistry()
  let state: 'starting' | 'serving' | 'ending' = 'starting'

  const end = (signal: NodeJS.Signals) => {
    if (state === 'ending') return endAtOnce(1)
    state = 'ending'
    announce(`Proofdesk is closing (${signal}); once more to stop at once`)
    // One that is still starting just ends.
    for (const worker of listWorkers()) worker.process.kill('SIGTERM')
    setTimeout(() => endAtOnce(1), END_WITHIN_MS).unref()
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)

  cluster.on('exit', (worker, code, signal) => {
    if (state === 'ending') {
      if (listWorkers().length === 0) process.exit(0)
      return
    }
    // What keeps one from serving it has said itself; then there is nothing to lead.
    if (state === 'starting') return endAtOnce(1)
    logger.warn('a process ended, and another takes its place', { process: worker.id, code, signal })
    void sleep(REPLACE_AFTER_MS).then(() => state === 'serving' && cluster.fork())
  })
  cluster.on('message', (worker, message) => {
    const said = readSaid(message)
    if (said?.say !== 'gather') return
    const answer = (text?: string) => tell(worker, { say: 'gathered', id: said.id, text })
    aggregator.clusterMetrics().then(answer, () => answer())
  })

  await startOne()
  await Promise.all(Array.from({ length: webConcurrency - 1 }, startOne))
  state = 'serving'
  announce(`Proofdesk is ready at ${publicUrl}, with ${webConcurrency} processes`)
}

/** Returns once it serves. */
async function startOne(): Promise<void> {
  const worker = cluster.fork()
  for (;;) {
    const [message] = await once(worker, 'message')
    if (readSaid(message)?.say === 'ready') return
  }
}

const listWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

function tell(worker: Worker, said: Said): void {
  if (worker.isConnected()) worker.send(said, () => {})
}

function endAtOnce(code: number): void {
  for (const worker of listWorkers()) worker.process.kill('SIGKILL')
  process.exit(code)
}
