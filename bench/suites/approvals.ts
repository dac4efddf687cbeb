import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@proofdesk/contract/route'
import { makePdf } from '@proofdesk/server/testing/small-files'
import { z } from 'zod'
import { runLoad, type Measured } from '../load/run-load.ts'
import { withPostgresInstance } from '../postgres-instance.ts'
import { whyNoPostgres } from '../processes/postgres.ts'
import { signIn, startProduct } from '../processes/product.ts'
import type { Running } from '../processes/running.ts'
import { findMedian, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

const CALLERS = 64
/** Collections that are made at once; more would be sent away. */
const MADE_AT_ONCE = 4
const SCAN_BYTES = 10_000
const PREPARE_PATIENCE_MS = 120_000
const LOOK_EVERY_MS = 100

const WithId = z.object({ id: z.number() })
const Waiting = z.object({ submission: z.object({ document: z.string() }) })

/** Many reviewers approve at once on PostgreSQL: each call builds, signs, logs and publishes a proof before it is answered. */
export const measureApprovals: Suite = async ({ effort }) => {
  const missing = whyNoPostgres()
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  return withPostgresInstance({ collections: effort.small, certified: 0 }, ({ folder, env, people, staff }) => {
    const unlimited = { ...env, MAX_USER_COLLECTIONS: '9999999', MAX_USER_MB: '9999999' }
    return withServers([() => startProduct(folder, { env: unlimited, part: 'everywhere' })], async (server) => {
      const owner = await signIn(server, people[0] ?? '')
      const reviewer = await signIn(server, staff)
      const measured: Measured[] = []
      // Before the first round is measured everything that approves has been started.
      if (effort.warmsUp > 0) await approveAll(server, reviewer, await sendMany(server, owner, effort.approvals))
      for (let round = 0; round < effort.rounds; round += 1)
        measured.push(await approveAll(server, reviewer, await sendMany(server, owner, effort.approvals)))
      const figure: Figure = {
        name: `approvals, ${CALLERS} callers on PostgreSQL, p99`,
        against: `${effort.approvals} prepared collections of one page, until each is answered with its Proof ID`,
        value: findMedian(measured.map(({ p99 }) => p99)),
        unit: 'ms',
        better: 'less',
        must: 1000,
        aim: 400,
        raw: [toRaw(`approvals, ${CALLERS} callers`, measured)],
      }
      return { figures: [figure], leftOut: [] }
    })
  })
}

function approveAll(server: Running, headers: Record<string, string>, ids: readonly number[]): Promise<Measured> {
  const requests = ids.map((id) => ({
    method: 'POST' as const,
    path: `${API_BASE}/admin/${id}/approve/`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ admin_desc: 'Compared with the register.', expire_time: null }),
  }))
  return runLoad(server, { connections: CALLERS, once: true, lasts: 0, requests })
}

/** Makes collections of one page each, and waits until each can be approved. */
async function sendMany(server: Running, headers: Record<string, string>, count: number): Promise<number[]> {
  const ids: number[] = []
  let begun = 0
  const goOn = async () => {
    while (begun++ < count) ids.push(await sendOne(server, headers))
  }
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, goOn))
  return ids
}

async function sendOne(server: Running, headers: Record<string, string>): Promise<number> {
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const url = `http://127.0.0.1:${server.port}${API_BASE}${path}`
    const answer = await fetch(url, { ...init, headers: { ...headers, ...(init.headers as object) } })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify({ title: 'Degree certificate' })
  const { id } = WithId.parse(await call('/collections/', { method: 'POST', headers: json, body }))
  const form = new FormData()
  form.append('collection', String(id))
  form.append('file', new Blob([Uint8Array.from(makePdf(1, 'Scan', SCAN_BYTES))]), 'scan.pdf')
  await call('/contents/', { method: 'POST', body: form })
  await call(`/collections/${id}/save/`, { method: 'POST' })
  for (const end = performance.now() + PREPARE_PATIENCE_MS; ; await pause(LOOK_EVERY_MS)) {
    if (Waiting.parse(await call(`/collections/${id}`)).submission.document === 'ready') return id
    if (performance.now() > end) throw new Error(`collection ${id} is not prepared`)
  }
}
