import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { API_BASE } from '@proofdesk/contract/route'
import { interleave, type Contestant } from '../load/interleave.ts'
import { startProduct } from '../processes/product.ts'
import { startDjango, startNginx, whyNoDjango, whyNoNginx } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CONNECTIONS = 16

/** A stranger gets the certified PDF, again and again, so that it is in memory. */
export const measureVerify: Suite = async ({ effort, instances }) => {
  const small = await instances.open(effort.small)
  const missing = { nginx: whyNoNginx(), django: whyNoDjango() }
  const files = join(small.folder, 'blobs/certified')
  const starts: Partial<Record<'nginx' | 'django', () => Promise<Running>>> = {
    ...(missing.nginx === undefined && { nginx: () => startNginx(files) }),
    ...(missing.django === undefined && { django: () => startDjango(small.folder) }),
  }
  const rivals = Object.keys(starts) as (keyof typeof starts)[]
  return withServers([() => startProduct(small.folder), ...Object.values(starts)], async (server, ...others) => {
    if (!server) throw new Error('the server is missing')
    const queries = small.certified.map((one) => `${new URLSearchParams({ ...one })}`)
    const contest = (to: Running, paths: string[]): Contestant => ({
      server: to,
      plan: { connections: CONNECTIONS, requests: paths.map((path) => ({ method: 'GET', path })) },
    })
    const paths = {
      nginx: listLargest(files, queries.length).map(({ name }) => `/${name}`),
      django: queries.map((query) => `/verify/?${query}`),
    }
    const contestants: Record<string, Contestant> = {
      ours: contest(
        server,
        queries.map((query) => `${API_BASE}/service-content-servers/get-pdfs/?${query}`),
      ),
    }
    for (const [index, rival] of rivals.entries()) {
      const other = others[index]
      if (other) contestants[rival] = contest(other, paths[rival])
    }
    const measured = await interleave(effort, contestants)
    const ours = measured['ours'] ?? []
    const kilobytes = Math.round((listLargest(files, 1)[0]?.size ?? 0) / 1000)
    const figures = rivals.map((rival): Figure => {
      const theirs = measured[rival] ?? []
      const name = rival === 'nginx' ? 'nginx' : 'Django REST Framework'
      return {
        name: `verification / ${name}`,
        against: `a certified PDF of ${kilobytes} kB, answers a CPU second`,
        value: findRatio(readRates(ours), readRates(theirs)),
        unit: 'x',
        better: 'more',
        ...(rival === 'nginx' && { must: 0.5, aim: 0.7 }),
        raw: [...(rival === rivals[0] ? [toRaw('verification', ours)] : []), toRaw(name, theirs)],
      }
    })
    return { figures, leftOut: Object.values(missing).filter((why) => why !== undefined) }
  })
}

/** Those that are verified; the patterns of the filling are smaller. */
function listLargest(folder: string, count: number): { name: string; size: number }[] {
  return readdirSync(folder)
    .map((name) => ({ name, size: statSync(join(folder, name)).size }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, count)
}
