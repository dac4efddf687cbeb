import { API_BASE } from '@proofdesk/contract/route'
import { COMMON_TERM, RARE_TERM } from '../fill/words.ts'
import { interleave } from '../load/interleave.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { startHello } from '../processes/rivals.ts'
import { findMedian, findRatio, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

/** One person who searches everybody's collections, one search after the other: how long the whole call takes. */
export const measureSearch: Suite = async ({ effort, instances }) => {
  const large = await instances.open(effort.large)
  const someone = large.people[large.people.length >> 1] ?? large.owner.username
  // Parts of names and titles, so that nothing is found by being equal.
  const searches = [
    { name: 'rare term', term: RARE_TERM.slice(1), must: 5, aim: 2 },
    { name: 'common term', term: COMMON_TERM, must: 20, aim: 6 },
    { name: 'one character', term: 'z' },
    { name: 'username', term: someone.slice(1), must: 10, aim: 3 },
  ]
  return withServers([() => startProduct(large.folder, { part: 'wide-server' }), startHello], async (server, hello) => {
    const headers = await signIn(server, large.staff)
    const figures: Figure[] = []
    for (const { name, term, ...targets } of searches) {
      const path = `${API_BASE}/collections/?${new URLSearchParams({ search: term })}`
      const measured = await interleave(effort, {
        search: { server, plan: { connections: 1, requests: [{ method: 'GET', path, headers }] } },
        hello: { server: hello, plan: { connections: 1, requests: [{ method: 'GET', path: '/' }] } },
      })
      const p50s = measured.search.map(({ p50 }) => p50)
      figures.push({
        name: `${name}, p50`,
        against: `${effort.large} rows, one caller`,
        value: findMedian(p50s),
        unit: 'ms',
        better: 'less',
        ...targets,
        raw: [toRaw(`search for ${name}`, measured.search), toRaw('bare node:http', measured.hello)],
      })
      figures.push({
        name: `${name} / bare node:http, p50`,
        against: 'the same call to a server that does nothing',
        value: findRatio(
          p50s,
          measured.hello.map(({ p50 }) => p50),
        ),
        unit: 'x',
        better: 'less',
        raw: [],
      })
    }
    return { figures, leftOut: [] }
  })
}
