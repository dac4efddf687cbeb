import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_BASE } from '@proofdesk/contract/route'
import { makePdf } from '@proofdesk/server/testing/small-files'
import { awaitIdle, openCaller, sendMany } from '../collections.ts'
import type { Instances } from '../instances.ts'
import { runLoad, type Measured } from '../load/run-load.ts'
import type { Effort } from '../options.ts'
import { withPostgresInstance } from '../postgres-instance.ts'
import { runBareProgram, type Told } from '../processes/bare-program.ts'
import { whyNoPostgres } from '../processes/postgres.ts'
import { signIn, startProduct, UNLIMITED } from '../processes/product.ts'
import type { Running } from '../processes/running.ts'
import { findMedian, findRatio, toRaw, type Figure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'
import { toRawProgram } from './sign-in.ts'

const SCAN = makePdf(1, 'Scan', 10_000)
/** On SQLite, as `strace -c` counts them where 16 approve at once. */
const FSYNCS_EACH = 23

/** Many reviewers approve at once: each call builds, signs, logs and publishes a proof before it is answered. */
export const measureApprovals: Suite = async ({ effort, instances }) => {
  const figures = [await measureBesideBare(instances, effort)]
  const missing = whyNoPostgres()
  if (missing !== undefined) return { figures, leftOut: [missing] }
  return { figures: [...figures, await measureOnPostgres(effort)], leftOut: [] }
}

/** Against what of it cannot be spared: the PDFs, or the waits for the disk. */
async function measureBesideBare(instances: Instances, effort: Effort): Promise<Figure> {
  const callers = 16
  const { folder, owner, staff } = await instances.copy(effort.small)
  const file = join(folder, 'scan.pdf')
  writeFileSync(file, SCAN)
  return withServers([() => startProduct(folder, { env: UNLIMITED, part: 'everywhere' })], async (server) => {
    const ownerCalls = openCaller(server, await signIn(server, owner.username))
    const reviewer = await signIn(server, staff)
    const approving: Measured[] = []
    const [certifying, syncing]: [Told[], Told[]] = [[], []]
    for (let round = effort.warmsUp > 0 ? -1 : 0; round < effort.rounds; round += 1) {
      const ids = await sendMany(ownerCalls, effort.approvals, SCAN)
      await awaitIdle(server)
      const approved = await approveAll(server, reviewer, ids, callers)
      const certified = await runBareProgram('build-and-seal', effort.lasts, folder, file, `${callers}`)
      const synced = await runBareProgram('one-fsync', effort.lasts, folder)
      if (round < 0) continue
      approving.push(approved)
      certifying.push(certified)
      syncing.push({ ...synced, count: synced.count / FSYNCS_EACH })
    }
    const rate = ({ count, seconds }: Told) => count / seconds
    const slower = certifying.map((one, round) => Math.min(rate(one), rate(syncing[round] ?? one)))
    return {
      name: `approvals, ${callers} callers / the slower of two bare programs`,
      against: `one builds and signs the same PDFs in the same processes, the other waits ${FSYNCS_EACH} times for the disk; a second`,
      value: findRatio(
        approving.map((one) => one.rate),
        slower,
      ),
      unit: 'x',
      better: 'more',
      must: 0.5,
      aim: 0.8,
      raw: [
        toRaw(`approvals, ${callers} callers`, approving),
        toRawProgram('the PDFs alone', certifying),
        toRawProgram('the waits alone', syncing),
      ],
    }
  })
}

async function measureOnPostgres(effort: Effort): Promise<Figure> {
  const callers = 64
  return withPostgresInstance({ collections: effort.small, certified: 0 }, ({ folder, env, people, staff }) =>
    withServers([() => startProduct(folder, { env: { ...env, ...UNLIMITED }, part: 'everywhere' })], async (server) => {
      const owner = openCaller(server, await signIn(server, people[0] ?? ''))
      const reviewer = await signIn(server, staff)
      const measured: Measured[] = []
      // Before the first round is measured everything that approves has been started.
      for (let round = effort.warmsUp > 0 ? -1 : 0; round < effort.rounds; round += 1) {
        const ids = await sendMany(owner, effort.approvals, SCAN)
        await awaitIdle(server)
        const approved = await approveAll(server, reviewer, ids, callers)
        if (round >= 0) measured.push(approved)
      }
      return {
        name: `approvals, ${callers} callers on PostgreSQL, p99`,
        against: `${effort.approvals} prepared collections of one page, until each is answered with its Proof ID`,
        value: findMedian(measured.map(({ p99 }) => p99)),
        unit: 'ms',
        better: 'less',
        must: 1000,
        aim: 400,
        raw: [toRaw(`approvals, ${callers} callers on PostgreSQL`, measured)],
      }
    }),
  )
}

function approveAll(
  server: Running,
  headers: Record<string, string>,
  ids: readonly number[],
  connections: number,
): Promise<Measured> {
  const requests = ids.map((id) => ({
    method: 'POST' as const,
    path: `${API_BASE}/admin/${id}/approve/`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ admin_desc: 'Compared with the register.', expire_time: null }),
  }))
  return runLoad(server, { connections, once: true, lasts: 0, requests })
}
