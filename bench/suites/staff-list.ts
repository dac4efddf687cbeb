import { API_BASE } from '@proofdesk/contract/route'
import { interleave } from '../load/interleave.ts'
import { findOwnId, signIn, startProduct } from '../processes/product.ts'
import { signDjangoToken, startDjango, whyNoDjango } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Bench, type Suite } from '../suite.ts'

/** The peer counts all rows for each page, so few at once are enough to keep it busy. */
const CONNECTIONS = 4

/** The first page of everybody's collections, of which there are very many. */
export const measureStaffList: Suite = async ({ effort, instances }) => {
  const missing = whyNoDjango()
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  const large = await instances.open(effort.large)
  return withServers([() => startProduct(large.folder), () => startDjango(large.folder)], async (ours, django) => ({
    figures: [await compareStaffLists(effort, { ours, django, ...large }, { must: 300, aim: 500 })],
    leftOut: [],
  }))
}

interface Compared {
  ours: Running
  django: Running
  staff: string
  collections: number
}

/** @param targets Of the ratio. */
export async function compareStaffLists(
  effort: Bench['effort'],
  { ours, django, staff, collections }: Compared,
  targets: Pick<Figure, 'must' | 'aim'>,
): Promise<Figure> {
  const headers = await signIn(ours, staff)
  const staffId = await findOwnId(ours, headers)
  const measured = await interleave(effort, {
    ours: {
      server: ours,
      plan: { connections: CONNECTIONS, requests: [{ method: 'GET', path: `${API_BASE}/collections/`, headers }] },
    },
    django: {
      server: django,
      plan: {
        connections: CONNECTIONS,
        requests: [{ method: 'GET', path: '/collections/', headers: signDjangoToken(staffId) }],
      },
    },
  })
  return {
    name: 'staff list / Django REST Framework',
    against: `the same rows in Django REST Framework under gunicorn, ${collections} of them, answers a CPU second`,
    value: findRatio(readRates(measured.ours), readRates(measured.django)),
    unit: 'x',
    better: 'more',
    ...targets,
    raw: [toRaw('staff list', measured.ours), toRaw('Django REST Framework', measured.django)],
  }
}
