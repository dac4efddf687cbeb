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
  const starts = [
    () => startProduct(small.folder),
    missing.nginx === undefined ? () => startNginx(files) : undefined,
    missing.django === undefined ? () => startDjango(small.folder) : undefined,
  ] as const
  return withServers(starts, async (server, nginx, django) => {
    const queries = small.certified.map((one) => `${new URLSearchParams({ ...one })}`)
    const contest = (to: Running, paths: string[]): Contestant => ({
      server: to,
      plan: { connections: CONNECTIONS, requests: paths.map((path) => ({ method: 'GET', path })) },
    })
    const rivals = [
      {
        name: 'nginx',
        server: nginx,
        paths: listLargest(files, queries.length).map(({ name }) => `/${name}`),
        targets: { must: 0.5, aim: 0.7 },
      },
      {
        name: 'Django REST Framework',
        server: django,
        paths: queries.map((query) => `/verify/?${query}`),
        targets: { must: 7, aim: 10 },
      },
    ]
    const contestants: Record<string, Contestant> = {
      ours: contest(
        server,
        queries.map((query) => `${API_BASE}/service-content-servers/get-pdfs/?${query}`),
      ),
    }
    for (const rival of rivals) if (rival.server) contestants[rival.name] = contest(rival.server, rival.paths)
    const { ours = [], ...theirs } = await interleave(effort, contestants)
    const kilobytes = Math.round((listLargest(files, 1)[0]?.size ?? 0) / 1000)
    const figures = rivals.flatMap(({ name, targets }): Figure[] => {
      const measured = theirs[name]
      if (!measured) return []
      return [
        {
          name: `verification / ${name}`,
          against: `a certified PDF of ${kilobytes} kB, answers a CPU second`,
          value: findRatio(readRates(ours), readRates(measured)),
          unit: 'x',
          better: 'more',
          ...targets,
          raw: [toRaw(name, measured)],
        },
      ]
    })
    figures[0]?.raw.unshift(toRaw('verification', ours))
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
