import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startProduct, takeRefreshToken } from '../processes/product.ts'
import { openSlowPhone, whyNoBrowser, type Looked } from '../processes/slow-phone.ts'
import { findMedian, type Figure, type RawFigure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const BUILT = join(import.meta.dirname, '../../packages/web/dist/index.html')
const PAGES = [
  { name: 'landing', path: '/', part: 'main h1', must: undefined, aim: undefined },
  { name: 'verify', path: '/service-content', part: 'main form', must: 2500, aim: 1800 },
  { name: 'list', path: '/collection', part: 'main table tbody tr', must: 4000, aim: 2500 },
]

/** How long a person with a slow phone waits for what a page is about, when they come for the first time. */
export const measureWeb: Suite = async ({ effort, instances }) => {
  const missing = whyNotBuilt() ?? whyNoBrowser()
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  const { folder, owner } = await instances.open(effort.small)
  return withServers([() => startProduct(folder)], async (server) => {
    const phone = await openSlowPhone()
    try {
      const url = `http://127.0.0.1:${server.port}`
      const looked = new Map<string, Looked[]>(PAGES.map(({ name }) => [name, []]))
      for (let round = 0; round < effort.rounds; round += 1)
        for (const { name, path, part } of PAGES) {
          const refresh = name === 'list' ? await takeRefreshToken(server, owner.username) : undefined
          looked.get(name)?.push(await phone.look(`${url}${path}`, part, refresh))
        }
      return { figures: PAGES.flatMap((page) => toFigures(page, looked.get(page.name) ?? [])), leftOut: [] }
    } finally {
      await phone.close()
    }
  })
}

export function whyNotBuilt(): string | undefined {
  return existsSync(BUILT) ? undefined : 'the web app is not built'
}

function toFigures({ name, must, aim }: (typeof PAGES)[number], rounds: readonly Looked[]): Figure[] {
  const raw: RawFigure = {
    name,
    values: {
      'largest paint ms': findMedian(rounds.map(({ largestPaint }) => largestPaint)),
      'most ms': Math.max(...rounds.map(({ largestPaint }) => largestPaint)),
      'layout shift': Math.max(...rounds.map(({ shift }) => shift)),
      kilobytes: findMedian(rounds.map(({ kilobytes }) => kilobytes)),
    },
  }
  return [
    {
      name: `${name}, largest paint`,
      against: '1.6 Mbit/s, 150 ms, a processor of a quarter of the speed, nothing kept; 390 px',
      value: raw.values['largest paint ms'] ?? Number.NaN,
      unit: 'ms',
      better: 'less',
      ...(must !== undefined && { must }),
      ...(aim !== undefined && { aim }),
      raw: [raw],
    },
  ]
}
