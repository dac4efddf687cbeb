import { setTimeout as pause } from 'node:timers/promises'
import { makeBundle, whyNoBundle } from '../processes/bundle.ts'
import { startBundle, startProduct } from '../processes/product.ts'
import { readMemoryMb, readOwnMemoryMb } from '../processes/process-facts.ts'
import { startHello } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findMedian, findRatio, type Figure, type RawFigure } from '../report/figure.ts'
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
  const missing = effort.makesBundle ? whyNoBundle() : 'the bundle: not made in a quick run'
  const bundle = missing === undefined ? makeBundle() : undefined
  const [ours, bundled, hello]: [Started[], Started[], Started[]] = [[], [], []]
  try {
    for (let round = 0; round < effort.rounds; round += 1) {
      ours.push(await startOnce(() => startProduct(large.folder), '/healthz', settles))
      if (bundle) bundled.push(await startOnce(() => startBundle(bundle.folder, large.folder), '/healthz', settles))
      hello.push(await startOnce(startHello, '/', settles))
    }
  } finally {
    bundle?.remove()
  }
  const ratio = (some: Started[], read: (one: Started) => number) => findRatio(some.map(read), hello.map(read))
  const fromBundle: Figure = {
    name: 'start / bare node:http from the release bundle',
    against: 'the same, of the last commit',
    value: ratio(bundled, ({ ms }) => ms),
    unit: 'x',
    better: 'less',
    must: 4,
    aim: 3,
    raw: [toRawStart('the bundle', bundled)],
  }
  return {
    figures: [
      {
        name: 'start / bare node:http from source',
        against: `to the first answer, on ${effort.large} rows`,
        value: ratio(ours, ({ ms }) => ms),
        unit: 'x',
        better: 'less',
        must: 12,
        aim: 8,
        raw: [toRawStart('Proofdesk', ours), toRawStart('bare node:http', hello)],
      },
      ...(bundle ? [fromBundle] : []),
      {
        name: 'idle memory / bare node:http',
        against: 'with all processes that it started',
        value: ratio(ours, ({ tree }) => tree),
        unit: 'x',
        better: 'less',
        must: 2.5,
        aim: 1.6,
        raw: [],
      },
    ],
    leftOut: missing === undefined ? [] : [missing],
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
