import { setTimeout as pause } from 'node:timers/promises'
import { makeClient, type ClientCall, type Crowd } from './client.ts'
import type { Target } from './targets.ts'

type Weights = Partial<Record<Exclude<ClientCall, 'create' | 'fetch every file'>, number>>

/** What is asked for whatever the collection is, now and then also what must be refused. */
const ALWAYS: Weights = {
  see: 10,
  'see list': 4,
  'see files': 4,
  'see rounds': 2,
  'see comments': 3,
  'fetch file': 3,
  comment: 4,
  rename: 1,
  upload: 1,
  send: 1,
  approve: 1,
  reject: 0.5,
  withdraw: 1,
  revoke: 1,
  reinstate: 1,
  verify: 2,
}
const OF_PHASE: Record<Target['phase'], Weights> = {
  open: { upload: 10, rename: 4, send: 6 },
  sent: { approve: 8, reject: 4, see: 8 },
  claimed: { approve: 2, see: 10, withdraw: 1 },
  published: { verify: 14, revoke: 5, reinstate: 4, fetch: 3, 'see changes': 3 },
}
/** Of what only one may win, two often go out in one moment: who looks first and then acts lets both in. */
const DECIDING: ReadonlySet<ClientCall> = new Set(['send', 'approve', 'reject', 'withdraw', 'revoke', 'reinstate'])
const TWICE_PART = 0.5
/** The rounds of a collection are shown ten a page; files of one that grows make approving slow. */
const MAX_ROUNDS = 7
const MAX_FILES = 4
/** Between two calls of one client, at most. */
const PAUSE_MS = 60
/** The same after something was away: what is known to no one is hard to judge where there is much of it. */
const AWAY_PAUSE_MS = 250

/** Clients who each ask one thing after the other, until it is over. */
export async function runCrowd(crowd: Crowd, clients: number): Promise<void> {
  await Promise.all(Array.from({ length: clients }, () => runClient(crowd)))
}

async function runClient(crowd: Crowd): Promise<void> {
  const { random, targets } = crowd
  const client = makeClient(crowd)
  while (!crowd.isOver()) {
    const target = targets.choose(random)
    if (!target) await client.create()
    else {
      const call = random.weigh(weighCalls(target))
      const isTwice = DECIDING.has(call) && random.chance(TWICE_PART)
      const calls = isTwice ? [call, random.chance(0.6) ? call : random.weigh(weighCalls(target))] : [call]
      target.asked += calls.length
      await Promise.all(calls.map((one) => client[one](target)))
    }
    await pause(random.below(PAUSE_MS) + (isLastAway(crowd) ? AWAY_PAUSE_MS : 0))
  }
}

function isLastAway({ recorder }: Crowd): boolean {
  const last = recorder.counted.at(-1)
  return last !== undefined && AWAY.has(last.reply)
}

const AWAY = new Set(['unreachable', 'no answer', '503 database_unavailable'])

function weighCalls({ phase, rounds, fileCount }: Target): Weights {
  const weights = { ...ALWAYS }
  for (const [call, weight] of Object.entries(OF_PHASE[phase]) as [keyof Weights, number][])
    weights[call] = (weights[call] ?? 0) + weight
  if (rounds >= MAX_ROUNDS) weights.reject = weights.withdraw = 0
  if (fileCount >= MAX_FILES) weights.upload = 0
  if (fileCount === 0 && phase === 'open') Object.assign(weights, { upload: 30, send: 1 })
  return weights
}
