import { FORMS, judgePage, whyNoLighthouse, type Form, type Judged } from '../processes/lighthouse.ts'
import { startProduct } from '../processes/product.ts'
import { findMedian, type Figure, type RawFigure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'
import { whyNotBuilt } from './web.ts'

const PAGES = [
  { name: 'landing', path: '/' },
  { name: 'verification', path: '/service-content' },
  { name: 'transparency', path: '/transparency' },
  { name: 'sign-in', path: '/login' },
]
const PROMISED: Record<Form, { must: number; aim: number }> = {
  desktop: { must: 98, aim: 100 },
  mobile: { must: 92, aim: 97 },
}

/** What Lighthouse thinks of the pages that anybody can open. */
export const measureLighthouse: Suite = async ({ effort, instances }) => {
  const missing = effort.asksLighthouse ? (whyNotBuilt() ?? whyNoLighthouse()) : 'Lighthouse: not asked in a quick run'
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  const { folder } = await instances.open(effort.small)
  return withServers([() => startProduct(folder)], async (server) => {
    const figures: Figure[] = []
    for (const form of FORMS) {
      const judged = PAGES.map(({ path }) =>
        Array.from({ length: effort.rounds }, () => judgePage(`http://127.0.0.1:${server.port}${path}`, form)),
      )
      figures.push(...toFigures(form, judged))
    }
    return { figures, leftOut: [] }
  })
}

/** @param judged The rounds of each page. */
function toFigures(form: Form, judged: readonly (readonly Judged[])[]): [Figure, Figure] {
  const raw = judged.map((rounds, page): RawFigure => ({
    name: `${PAGES[page]?.name ?? ''}, ${form}`,
    values: {
      performance: findMedian(rounds.map(({ scores }) => scores.performance)),
      least: Math.min(...rounds.map(({ scores }) => scores.performance)),
      accessibility: Math.min(...rounds.map(({ scores }) => scores.accessibility)),
      'best practices': Math.min(...rounds.map(({ scores }) => scores['best-practices'])),
      'found by search engines': Math.min(...rounds.map(({ scores }) => scores.seo)),
      'layout shift': Math.max(...rounds.map(({ shift }) => shift)),
    },
  }))
  const read = (column: string) => raw.map(({ values }) => values[column] ?? Number.NaN)
  return [
    {
      name: `Lighthouse, ${form}, performance`,
      against: 'of 100; the least of the medians of these pages',
      value: Math.min(...read('performance')),
      unit: '',
      better: 'more',
      ...PROMISED[form],
      raw,
    },
    {
      name: `Lighthouse, ${form}, layout shift`,
      against: 'the most of all rounds',
      value: Math.max(...read('layout shift')),
      unit: '',
      better: 'less',
      must: 0,
      aim: 0,
      raw: [],
    },
  ]
}
