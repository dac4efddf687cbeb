import { API_BASE } from '@proofdesk/contract/route'
import { PASSWORD } from '../fill/real-ones.ts'
import type { LoadPlan, LoadRequest } from '../load/plan.ts'
import { lookWhile, runLoad, type Measured } from '../load/run-load.ts'
import { runBareProgram, type Told } from '../processes/bare-program.ts'
import type { Effort } from '../options.ts'
import { signIn, startProduct } from '../processes/product.ts'
import { startRawSignIn } from '../processes/rivals.ts'
import type { Running } from '../processes/running.ts'
import { findMedian, findRatio, readRates, toRaw, type Figure, type RawFigure } from '../report/figure.ts'
import { withServers, type Suite } from '../suite.ts'

/** As many as sign in at once without being sent away. */
const CALLERS = 8
const WAITING = 50
/** Connections to look on: as many as may wait at once. */
const LOOKERS = 64
const LOOK_EVERY = 5

/** Signing in is argon2id and little else; and others must not wait for it. */
export const measureSignIn: Suite = async ({ effort, instances }) => {
  const small = await instances.copy(effort.small)
  const requests = small.people.map((username): LoadRequest => ({
    method: 'POST',
    path: `${API_BASE}/auth/login/`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  }))
  // It writes, too, so it has a database of its own.
  const byHand = await instances.copy(effort.small)
  // Rates are for each second of processor time, so more cores help neither.
  const starts = [
    () => startProduct(small.folder, { part: 'wide-server' }),
    () => startRawSignIn(byHand.folder),
  ] as const
  return withServers(starts, async (server, raw) => {
    const hashing = await measureHashing({ server, raw, requests, effort })
    const waiting = await measureWaiting(server, requests, await signIn(server, small.owner.username), effort)
    return { figures: [...hashing, ...waiting], leftOut: [] }
  })
}

interface Hashing {
  server: Running
  raw: Running
  requests: LoadRequest[]
  effort: Effort
}

async function measureHashing({ server, raw, requests, effort }: Hashing): Promise<Figure[]> {
  const { rounds, lasts, warmsUp } = effort
  const enter = (at: Running, ms: number) => runLoad(at, { connections: CALLERS, lasts: ms, requests })
  if (warmsUp > 0) for (const at of [server, raw]) await enter(at, warmsUp)
  const entering: Measured[] = []
  const byHand: Measured[] = []
  const bare: Told[] = []
  for (let round = 0; round < rounds; round += 1) {
    entering.push(await enter(server, lasts))
    byHand.push(await enter(raw, lasts))
    bare.push(await runBareProgram('bare-argon2', lasts))
  }
  const bareRates = bare.map(({ count, seconds, cpuSeconds = seconds }) => count / cpuSeconds)
  return [
    {
      name: 'sign-in / bare argon2id',
      against: 'a program that checks passwords of the same strength and nothing else, a CPU second',
      value: findRatio(readRates(entering), bareRates),
      unit: 'x',
      better: 'more',
      must: 0.9,
      aim: 0.97,
      raw: [toRaw(`sign-in, ${CALLERS} callers`, entering), toRawProgram('bare argon2id', bare)],
    },
    {
      name: 'sign-in by hand / bare argon2id',
      against: 'the same: what node:http and SQL without anything else leave of it',
      value: findRatio(readRates(byHand), bareRates),
      unit: 'x',
      better: 'more',
      raw: [toRaw(`sign-in by hand, ${CALLERS} callers`, byHand)],
    },
  ]
}

async function measureWaiting(
  server: Running,
  requests: LoadRequest[],
  headers: Record<string, string>,
  { rounds, lasts }: Effort,
): Promise<Figure[]> {
  const path = `${API_BASE}/collections/`
  const look: Omit<LoadPlan, 'port'> = {
    connections: LOOKERS,
    every: LOOK_EVERY,
    lasts,
    requests: [{ method: 'GET', path, headers }],
  }
  await runLoad(server, look)
  const alone: Measured[] = []
  const meanwhile: Measured[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await runLoad(server, look))
    const { looked } = await lookWhile(server, look, { connections: WAITING, requests })
    meanwhile.push(looked)
  }
  const ratio = (read: (one: Measured) => number) => findRatio(meanwhile.map(read), alone.map(read))
  const against = 'the own list while nobody signs in'
  return [
    {
      name: `others while ${WAITING} sign in, p50`,
      against,
      value: ratio(({ p50 }) => p50),
      unit: 'x',
      better: 'less',
      must: 2,
      aim: 1.3,
      raw: [toRaw('own list, nobody else', alone), toRaw('own list meanwhile', meanwhile)],
    },
    {
      name: `others while ${WAITING} sign in, p99`,
      against,
      value: ratio(({ p99 }) => p99),
      unit: 'x',
      better: 'less',
      must: 4,
      aim: 2,
      raw: [],
    },
  ]
}

export function toRawProgram(name: string, told: readonly Told[]): RawFigure {
  const rates = told.map(({ count, seconds }) => count / seconds)
  return {
    name,
    values: {
      'a second': findMedian(rates),
      'least a second': Math.min(...rates),
      'most a second': Math.max(...rates),
      'a CPU second': findMedian(told.map(({ count, seconds, cpuSeconds = seconds }) => count / cpuSeconds)),
    },
  }
}
