import { setTimeout as pause } from 'node:timers/promises'
import { startProduct } from '../processes/product.ts'
import { readMemoryMb, readOwnMemoryMb } from '../processes/process-facts.ts'
import { startHello } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findMedian, findRatio, type RawFigure } from '../report/figure.ts'
import type { Suite } from '../suite.ts'

/** What is loaded and swept at the start is over by then, ms. */
const SETTLES = 5000

interface Started {
  ms: number
  /** MiB; `tree` with all processes that it started. */
  tree: number
  own: number
}

/** From nothing to the first answer on a large installation, and what the server then holds in memory. */
export const measureStart: Suite = async ({ effort, instances }) => {
  const large = await instances.open(effort.large)
  const settles = Math.min(SETTLES, effort.lasts * 2)
  const [ours, hello]: [Started[], Started[]] = [[], []]
  for (let round = 0; round < effort.rounds; round += 1) {
    ours.push(await startOnce(() => startProduct(large.folder), '/healthz', settles))
    hello.push(await startOnce(startHello, '/', settles))
  }
  const ratio = (read: (one: Started) => number) => findRatio(ours.map(read), hello.map(read))
  return {
    figures: [
      {
        name: 'start / bare node:http from source',
        against: `to the first answer, on ${effort.large} rows`,
        value: ratio(({ ms }) => ms),
        unit: 'x',
        better: 'less',
        must: 12,
        aim: 8,
        raw: [toRawStart('Proofdesk', ours), toRawStart('bare node:http', hello)],
      },
      {
        name: 'idle memory / bare node:http',
        against: 'with all processes that it started',
        value: ratio(({ tree }) => tree),
        unit: 'x',
        better: 'less',
        must: 2.5,
        aim: 1.6,
        raw: [],
      },
    ],
    leftOut: [],
  }
}

async function startOnce(start: () => Promise<Running>, path: string, settles: number): Promise<Started> {
  const begin = performance.now()
  const server = await start()
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`)
    if (!answer.ok) throw new Error(`${server.name} answered ${answer.status}`)
    const ms = performance.now() - begin
    await pause(settles)
    return { ms, tree: readMemoryMb(server.pid), own: readOwnMemoryMb(server.pid) }
  } finally {
    await server.stop()
  }
}

function toRawStart(name: string, starts: readonly Started[]): RawFigure {
  return {
    name,
    values: {
      'start ms': findMedian(starts.map(({ ms }) => ms)),
      'MiB, all processes': findMedian(starts.map(({ tree }) => tree)),
      'MiB, main process': findMedian(starts.map(({ own }) => own)),
    },
  }
}
