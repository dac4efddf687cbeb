import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { API_BASE } from '@proofdesk/contract/route'
import { makePdf } from '@proofdesk/server/testing/small-files'
import { doTogether, openCaller, sendMany } from '../collections.ts'
import { CERTIFIED, type Instance } from '../instances.ts'
import { interleave, type Contestant } from '../load/interleave.ts'
import { signIn, startProduct, UNLIMITED } from '../processes/product.ts'
import { startDjango, startNginx, startRawVerify, whyNoDjango, whyNoNginx } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CONNECTIONS = 16
const APPROVED_AT_ONCE = 8
const PATH = `${API_BASE}/service-content-servers/get-pdfs/`

/** What a stranger holds. */
type Holding = Instance['certified'][number]

type Targets = Record<'nginx' | 'django', { must: number; aim: number }>
const HOT: Targets = { nginx: { must: 0.5, aim: 0.7 }, django: { must: 7, aim: 10 } }
const COLD: Targets = { nginx: { must: 0.1, aim: 0.2 }, django: { must: 1.5, aim: 3 } }

/**
 * A stranger gets the certified PDF: the same again and again, so that it is in memory, or one of so many in turn that it is
 * not.
 */
export const measureVerify: Suite = async ({ effort, instances }) => {
  const small = await instances.copy(effort.small)
  const many = await certifyMany(small, effort.strangers)
  const missing = { nginx: whyNoNginx(), django: whyNoDjango() }
  const files = join(small.folder, 'blobs/certified')
  const starts = [
    () => startProduct(small.folder),
    () => startRawVerify(small.folder),
    missing.nginx === undefined ? () => startNginx(files) : undefined,
    missing.django === undefined ? () => startDjango(small.folder) : undefined,
  ] as const
  return withServers(starts, async (server, raw, nginx, django) => {
    for (const one of small.certified) await mustSendAlike(server, raw, one)
    const compare = async (what: string, held: readonly Holding[], targets: Targets) => {
      const queries = held.map((one) => `${new URLSearchParams({ ...one })}`)
      const stored = listLargest(files, held.length)
      const rivals = [
        { name: 'nginx', server: nginx, paths: stored.map(({ name }) => `/${name}`), ...targets.nginx },
        {
          name: 'Django REST Framework',
          server: django,
          paths: queries.map((query) => `/verify/?${query}`),
          ...targets.django,
        },
      ]
      const contestants: Record<string, Contestant> = {
        ours: contest(
          server,
          queries.map((query) => `${PATH}?${query}`),
        ),
        byHand: contest(
          raw,
          queries.map((query) => `/?${query}`),
        ),
      }
      for (const rival of rivals) if (rival.server) contestants[rival.name] = contest(rival.server, rival.paths)
      const { ours = [], byHand = [], ...theirs } = await interleave(effort, contestants)
      const kilobytes = Math.round((stored[0]?.size ?? 0) / 1000)
      const figures = rivals.flatMap(({ name, must, aim }): Figure[] => {
        const measured = theirs[name]
        if (!measured) return []
        return [
          {
            name: `${what} / ${name}`,
            against: `${held.length} certified PDFs of up to ${kilobytes} kB in turn, answers a CPU second`,
            value: findRatio(readRates(ours), readRates(measured)),
            unit: 'x',
            better: 'more',
            must,
            aim,
            raw: [toRaw(`${name}, ${held.length} files`, measured)],
          },
          {
            name: `${what} by hand / ${name}`,
            against: 'the same: what node:http and a look-up without anything else come to',
            value: findRatio(readRates(byHand), readRates(measured)),
            unit: 'x',
            better: 'more',
            raw: [],
          },
        ]
      })
      figures[0]?.raw.unshift(
        toRaw(`verification, ${held.length} files`, ours),
        toRaw(`by hand, ${held.length} files`, byHand),
      )
      return figures
    }
    const hot = await compare('verification', small.certified, HOT)
    const cold = await compare('verification, cold', many, COLD)
    return { figures: [...hot, ...cold], leftOut: Object.values(missing).filter((why) => why !== undefined) }
  })
}

/** @throws where the rival sends something else: it would not be one. */
async function mustSendAlike(server: Running, raw: Running, held: Holding): Promise<void> {
  const query = new URLSearchParams({ ...held })
  const [ours, theirs] = await Promise.all(
    [`http://127.0.0.1:${server.port}${PATH}?${query}`, `http://127.0.0.1:${raw.port}/?${query}`].map(async (url) =>
      Buffer.from(await (await fetch(url)).arrayBuffer()),
    ),
  )
  assert.deepEqual(theirs, ours)
}

const contest = (server: Running, paths: string[]): Contestant => ({
  server,
  plan: { connections: CONNECTIONS, requests: paths.map((path) => ({ method: 'GET', path })) },
})

/** Has the product itself certify so many scans. */
async function certifyMany({ folder, owner, staff }: Instance, count: number): Promise<Holding[]> {
  return withServers([() => startProduct(folder, { part: 'everywhere', env: UNLIMITED })], async (server) => {
    const ids = await sendMany(
      openCaller(server, await signIn(server, owner.username)),
      count,
      makePdf(1, 'Scan', CERTIFIED.bytes),
    )
    const reviewer = openCaller(server, await signIn(server, staff))
    const held: Holding[] = []
    await doTogether(APPROVED_AT_ONCE, ids, async (id) => {
      held.push({ proofid: await reviewer.approve(id), username: owner.username })
    })
    return held
  })
}

/** Those that are verified; the patterns of the filling are smaller. */
function listLargest(folder: string, count: number): { name: string; size: number }[] {
  return readdirSync(folder)
    .map((name) => ({ name, size: statSync(join(folder, name)).size }))
    .toSorted((a, b) => b.size - a.size)
    .slice(0, count)
}
