import { API_BASE } from '@proofdesk/contract/route'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import { readFacts } from '../fill/filled.ts'
import { COMMON_TERM, RARE_TERM } from '../fill/words.ts'
import { interleave } from '../load/interleave.ts'
import { withPostgresInstance } from '../postgres-instance.ts'
import { whyNoPostgres } from '../processes/postgres.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { signDjangoToken, startDjango, startRawOwnListOnPostgres, whyNoDjango } from '../processes/rivals.ts'
import { findMedian, findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Bench, type Suite } from '../suite.ts'
import { mustAnswerAlike } from './own-list.ts'
import { compareStaffLists } from './staff-list.ts'

const CONNECTIONS = 16

/** What other suites measure on SQLite, on PostgreSQL; of a large instance only where one was filled before. */
export const measureOnPostgres: Suite = async ({ effort, largeOnPostgres }) => {
  const missing = whyNoPostgres() ?? whyNoDjango(true)
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  const figures = await measureOwnList(effort)
  if (largeOnPostgres === undefined) return { figures, leftOut: ['a large instance on PostgreSQL: none was given'] }
  return { figures: [...figures, ...(await measureLarge(effort, largeOnPostgres))], leftOut: [] }
}

function measureOwnList(effort: Bench['effort']): Promise<Figure[]> {
  return withPostgresInstance({ collections: effort.small, certified: 0 }, ({ folder, env, owner, postgres }) =>
    withServers(
      [
        () => startProduct(folder, { env }),
        () => startRawOwnListOnPostgres(postgres.url),
        () => startDjango(folder, postgres.url),
      ],
      async (server, raw, django) => {
        const headers = await signIn(server, owner.username)
        await mustAnswerAlike(server, raw, headers)
        const contest = (path: string, sent: Record<string, string>) => ({
          connections: CONNECTIONS,
          requests: [{ method: 'GET' as const, path, headers: sent }],
        })
        const { ours, byHand, theirs } = await interleave(effort, {
          ours: { server, plan: contest(`${API_BASE}/collections/`, headers) },
          byHand: { server: raw, plan: contest(`${API_BASE}/collections/`, headers) },
          theirs: { server: django, plan: contest('/collections/', signDjangoToken(owner.id)) },
        })
        return [
          {
            name: 'own list / Django REST Framework',
            against: 'the same rows of the same PostgreSQL, answers a CPU second of the two servers alone',
            value: findRatio(readRates(ours), readRates(theirs)),
            unit: 'x',
            better: 'more',
            must: 13,
            aim: 20,
            raw: [toRaw('own list', ours), toRaw('Django REST Framework', theirs)],
          },
          {
            name: 'own list by hand / Django REST Framework',
            against: 'the same: what node:http and three prepared statements without anything else come to',
            value: findRatio(readRates(byHand), readRates(theirs)),
            unit: 'x',
            better: 'more',
            raw: [toRaw('own list by hand', byHand)],
          },
        ]
      },
    ),
  )
}

async function measureLarge(
  effort: Bench['effort'],
  { folder, postgresUrl }: NonNullable<Bench['largeOnPostgres']>,
): Promise<Figure[]> {
  const { collections, staff, people, owner } = readFacts(folder)
  const someone = people[people.length >> 1] ?? owner.username
  const last = totalPages(collections, PAGE_SIZE)
  const calls = [
    { name: 'rare term', query: { search: RARE_TERM.slice(1) }, must: 5, aim: 2 },
    { name: 'common term', query: { search: COMMON_TERM }, must: 20, aim: 6 },
    { name: 'one character', query: { search: 'z' } },
    { name: 'username', query: { search: someone.slice(1) }, must: 10, aim: 3 },
    { name: 'first page', query: {} },
    { name: 'first page by title', query: { ordering: 'title' } },
    { name: 'review queue', query: { is_locked: 'true', has_proofid: 'false' } },
    { name: 'page in the middle', query: { page: `${Math.ceil(last / 2)}` } },
    { name: 'last page', query: { page: `${last}` } },
  ]
  return withServers(
    [
      () => startProduct(folder, { env: { DATABASE_URL: postgresUrl }, part: 'wide-server' }),
      () => startDjango(folder, postgresUrl),
    ],
    async (server, django) => {
      const headers = await signIn(server, staff)
      const figures = [
        await compareStaffLists(effort, { ours: server, django, staff, collections }, { must: 80, aim: 150 }),
      ]
      for (const { name, query, ...targets } of calls) {
        const path = `${API_BASE}/collections/?${new URLSearchParams(query)}`
        const { ours } = await interleave(effort, {
          ours: { server, plan: { connections: 1, requests: [{ method: 'GET', path, headers }] } },
        })
        figures.push({
          name: `${name}, p50`,
          against: `${collections} rows on PostgreSQL, one caller, the whole call`,
          value: findMedian(ours.map(({ p50 }) => p50)),
          unit: 'ms',
          better: 'less',
          ...targets,
          raw: [toRaw(name, ours)],
        })
      }
      return figures
    },
  )
}
