import { API_BASE } from '@proofdesk/contract/route'
import { interleave, type Contestant } from '../load/interleave.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CONNECTIONS = 16
const RATE = { must: 0.9, aim: 0.97 }
const P99 = { must: 1.2, aim: 1.1 }

/** Calls whose cost must not grow with the installation; `owner`: as somebody with twenty collections. */
const CALLS = [
  { name: 'staff list', path: '/collections/', by: 'staff' },
  { name: 'review queue', path: '/collections/?is_locked=true&has_proofid=false', by: 'staff' },
  { name: 'tiles', path: '/collections/counts/', by: 'staff' },
  { name: 'own list', path: '/collections/', by: 'owner' },
] as const

/** The same calls on a large and on a small installation. */
export const measureFlat: Suite = async ({ effort, instances }) => {
  const [small, large] = [await instances.open(effort.small), await instances.open(effort.large)]
  return withServers(
    [() => startProduct(small.folder), () => startProduct(large.folder)],
    async (smallServer, largeServer) => {
      const figures: Figure[] = []
      for (const { name, path, by } of CALLS) {
        const contest = async (server: typeof smallServer, instance: typeof small): Promise<Contestant> => {
          const headers = await signIn(server, by === 'staff' ? instance.staff : instance.owner.username)
          return {
            server,
            plan: { connections: CONNECTIONS, requests: [{ method: 'GET', path: `${API_BASE}${path}`, headers }] },
          }
        }
        const measured = await interleave(effort, {
          large: await contest(largeServer, large),
          small: await contest(smallServer, small),
        })
        const sizes = `${effort.large} rows / ${effort.small} rows`
        const raw = [
          toRaw(`${name}, ${effort.large} rows`, measured.large),
          toRaw(`${name}, ${effort.small} rows`, measured.small),
        ]
        figures.push({
          name: `${name}, rate`,
          against: `${sizes}, answers a CPU second`,
          value: findRatio(readRates(measured.large), readRates(measured.small)),
          unit: 'x',
          better: 'more',
          ...RATE,
          raw,
        })
        figures.push({
          name: `${name}, p99`,
          against: sizes,
          value: findRatio(
            measured.large.map(({ p99 }) => p99),
            measured.small.map(({ p99 }) => p99),
          ),
          unit: 'x',
          better: 'less',
          ...P99,
          raw: [],
        })
      }
      return { figures, leftOut: [] }
    },
  )
}
