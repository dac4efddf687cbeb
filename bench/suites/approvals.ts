import { API_BASE } from '@proofdesk/contract/route'
import { makePdf } from '@proofdesk/server/testing/small-files'
import { openCaller, writeForm, type Caller } from '../collections.ts'
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
const LOOK_EVERY_MS = 100

/** Many reviewers approve at once on PostgreSQL: each call builds, signs, logs and publishes a proof before it is answered. */
export const measureApprovals: Suite = async ({ effort }) => {
  const missing = whyNoPostgres()
  if (missing !== undefined) return { figures: [], leftOut: [missing] }
  return withPostgresInstance({ collections: effort.small, certified: 0 }, ({ folder, env, people, staff }) => {
    const unlimited = { ...env, MAX_USER_COLLECTIONS: '9999999', MAX_USER_MB: '9999999' }
    return withServers([() => startProduct(folder, { env: unlimited, part: 'everywhere' })], async (server) => {
      const owner = openCaller(server, await signIn(server, people[0] ?? ''))
      const reviewer = await signIn(server, staff)
      const measured: Measured[] = []
      // Before the first round is measured everything that approves has been started.
      if (effort.warmsUp > 0) await approveAll(server, reviewer, await sendMany(owner, effort.approvals))
      for (let round = 0; round < effort.rounds; round += 1)
        measured.push(await approveAll(server, reviewer, await sendMany(owner, effort.approvals)))
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
async function sendMany(caller: Caller, count: number): Promise<number[]> {
  const ids: number[] = []
  let begun = 0
  const goOn = async () => {
    while (begun++ < count) ids.push(await sendOne(caller))
  }
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, goOn))
  return ids
}

async function sendOne(caller: Caller): Promise<number> {
  const id = await caller.createCollection()
  await caller.upload(await writeForm(makePdf(1, 'Scan', SCAN_BYTES), 'scan.pdf', id))
  await caller.send(id)
  await caller.awaitPrepared(id, LOOK_EVERY_MS)
  return id
}
