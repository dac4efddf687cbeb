import { API_BASE } from '@proofdesk/contract/route'
import { totalPages } from '@proofdesk/contract/paging'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { COMMON_TERM, RARE_TERM } from '../fill/words.ts'
import { lookWhile, runLoad, type Measured } from '../load/run-load.ts'
import { watchEventLoop, type EventLoopDelay } from '../processes/event-loop.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { findMedian, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const PEOPLE = 16
/** Connections to look on: as many as may wait at once. */
const LOOKERS = 64
/** Between two looks at whether the server still answers, ms. */
const LOOK_EVERY = 4

/** What everybody else waits while people search, page deep and sort by title without pause. */
export const measureOthersWait: Suite = async ({ effort, instances }) => {
  const large = await instances.open(effort.large)
  const someone = large.people[large.people.length >> 1] ?? large.owner.username
  const middle = Math.max(1, Math.floor(totalPages(large.collections, PAGE_SIZE) / 2))
  const queries = [
    { search: RARE_TERM.slice(1) },
    { search: COMMON_TERM },
    { search: 'z' },
    { search: someone.slice(1) },
    { page: String(middle) },
    { page: String(middle * 2 - 1) },
    { ordering: 'title' },
    { ordering: '-title' },
  ]
  const loop = watchEventLoop()
  try {
    return await withServers(
      [() => startProduct(large.folder, { env: loop.env, nodeArgs: loop.nodeArgs, part: 'wide-server' })],
      async (server) => {
        const headers = await signIn(server, large.staff)
        const requests = queries.map((query) => ({
          method: 'GET' as const,
          path: `${API_BASE}/collections/?${new URLSearchParams(query)}`,
          headers,
        }))
        const look = { connections: LOOKERS, every: LOOK_EVERY, lasts: effort.lasts, requests: [HEALTH] }
        const idle: Measured[] = []
        const busy: Measured[] = []
        const working: Measured[] = []
        const delays: { idle: EventLoopDelay; busy: EventLoopDelay }[] = []
        await runLoad(server, look)
        for (let round = 0; round < effort.rounds; round += 1) {
          await loop.read(server.pid)
          idle.push(await runLoad(server, look))
          const idleDelay = await loop.read(server.pid)
          const { looked, worked } = await lookWhile(server, look, { connections: PEOPLE, requests })
          busy.push(looked)
          working.push(worked)
          delays.push({ idle: idleDelay, busy: await loop.read(server.pid) })
        }
        const figures: Figure[] = [
          {
            name: 'what others wait longer, p99',
            against: `${PEOPLE} people searching, paging deep and sorting at ${effort.large} rows, minus nobody; GET /healthz`,
            value: findMedian(busy.map(({ p99 }, round) => p99 - (idle[round]?.p99 ?? Number.NaN))),
            unit: 'ms',
            better: 'less',
            must: 10,
            aim: 3,
            raw: [
              toRaw('GET /healthz, nobody else', idle),
              toRaw('GET /healthz meanwhile', busy),
              toRaw(`the ${PEOPLE} people`, working),
              toDelay(
                'event loop, nobody else',
                delays.map((one) => one.idle),
              ),
              toDelay(
                'event loop meanwhile',
                delays.map((one) => one.busy),
              ),
            ],
          },
          {
            name: 'event loop later, p99.9',
            against: 'the same, seen from inside the server',
            value: findMedian(delays.map((one) => one.busy.p999 - one.idle.p999)),
            unit: 'ms',
            better: 'less',
            must: 10,
            aim: 3,
            raw: [],
          },
        ]
        return { figures, leftOut: [] }
      },
    )
  } finally {
    loop.close()
  }
}

const HEALTH = { method: 'GET', path: '/healthz' } as const

function toDelay(name: string, delays: readonly EventLoopDelay[]) {
  return {
    name,
    values: {
      'p50 ms': findMedian(delays.map(({ p50 }) => p50)),
      'p99 ms': findMedian(delays.map(({ p99 }) => p99)),
      'p99.9 ms': findMedian(delays.map(({ p999 }) => p999)),
      'longest ms': findMedian(delays.map(({ max }) => max)),
    },
  }
}
