import assert from 'node:assert/strict'
import { API_BASE } from '@proofdesk/contract/route'
import { interleave, type Contestant } from '../load/interleave.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { signDjangoToken, startDjango, startHello, startRawOwnList, whyNoDjango } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findRatio, readRates, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CONNECTIONS = 16
const PATH = `${API_BASE}/collections/`

/** The call that people make most: a page of one's own collections, twenty in all. */
export const measureOwnList: Suite = async ({ effort, instances }) => {
  const small = await instances.open(effort.small)
  const missing = whyNoDjango()
  const starts = [
    () => startProduct(small.folder),
    () => startRawOwnList(small.folder),
    startHello,
    missing === undefined ? () => startDjango(small.folder) : undefined,
  ] as const
  return withServers(starts, async (server, raw, hello, django) => {
    const headers = await signIn(server, small.owner.username)
    await mustAnswerAlike(server, raw, headers)
    const contest = (to: Running, path: string, sent: Record<string, string>): Contestant => ({
      server: to,
      plan: { connections: CONNECTIONS, requests: [{ method: 'GET', path, headers: sent }] },
    })
    const ours = contest(server, PATH, headers)
    const measured = await interleave(effort, {
      ours,
      raw: contest(raw, PATH, headers),
      hello: contest(hello, '/', {}),
      django: django ? contest(django, '/collections/', signDjangoToken(small.owner.id)) : ours,
    })
    const rates = readRates(measured.ours)
    const figures: Figure[] = []
    if (django)
      figures.push({
        name: 'own list / Django REST Framework',
        against: 'the same rows in Django REST Framework under gunicorn, answers a CPU second',
        value: findRatio(rates, readRates(measured.django)),
        unit: 'x',
        better: 'more',
        must: 15,
        aim: 25,
        raw: [toRaw('Django REST Framework', measured.django)],
      })
    figures.push({
      name: 'own list / raw node:http and SQL',
      against: 'the same answer by hand, after the same look-up of token and person; answers a CPU second',
      value: findRatio(rates, readRates(measured.raw)),
      unit: 'x',
      better: 'more',
      must: 0.65,
      aim: 0.85,
      raw: [
        toRaw('own list', measured.ours),
        toRaw('raw node:http and SQL', measured.raw),
        toRaw('bare node:http', measured.hello),
      ],
    })
    return { figures, leftOut: missing === undefined ? [] : [missing] }
  })
}

/** @throws where the rival answers something else: it would not be one. */
export async function mustAnswerAlike(server: Running, raw: Running, headers: Record<string, string>): Promise<void> {
  for (const query of ['', '?page=2']) {
    const [ours, theirs] = await Promise.all(
      [server, raw].map(async ({ port }) => {
        const answer = await fetch(`http://127.0.0.1:${port}${PATH}${query}`, { headers })
        // A second may pass between the two.
        return JSON.parse(
          (await answer.text()).replaceAll(/"remaining_approval_time":\d+/g, '"remaining_approval_time":1'),
        )
      }),
    )
    assert.deepEqual(theirs, ours)
  }
}
