import { setTimeout as pause } from 'node:timers/promises'
import type { Fate } from '../../s3-proxy.ts'
import type { HammerNode } from '../instance/node.ts'
import type { Installation } from '../instance/installation.ts'
import type { Random } from '../seeded-random.ts'
import { WEIGHTS, type Trouble, type TroubleKind } from './trouble.ts'

const START_AGAIN_MS = 250
/** What a node needs is away for seconds; on a busy machine a start takes a while. */
const START_PATIENCE_MS = 240_000
const MINUTE_MS = 60_000

/** Holds of the outbox last 20 s: whoever was stopped for longer finds that others did its work. */
const LONG_STOP_MS = [21_000, 27_000] as const

const S3_FATES: Partial<Record<TroubleKind, readonly Fate[]>> = {
  'S3 is busy': ['busy'],
  'S3 is slow': ['slow'],
  'S3 breaks off': ['reset', 'lose the answer', 'break in the middle'],
  'S3 falls silent': ['never answer', 'silent in the middle'],
}

export interface Troublemaker {
  /** Makes trouble until it is over, and takes all of it back before it resolves. @throws Error when that is not possible */
  run(isOver: () => boolean): Promise<void>
  /** In the order in which they ended. */
  troubles: Trouble[]
}

export interface Pace {
  /** Milliseconds between the beginnings of two troubles, at most; so many go on at once. */
  everyMs: number
  atOnce: number
  /** How often each comes, where it is not as usual. */
  weights?: Partial<Record<TroubleKind, number>>
}

/** By a schedule that the seed decides; how long each takes also depends on the machine. */
export function makeTroublemaker(
  { nodes, postgres, proxy }: Pick<Installation, 'nodes' | 'postgres' | 'proxy'>,
  random: Random,
  { everyMs, atOnce, weights = WEIGHTS }: Pace,
): Troublemaker {
  const troubles: Trouble[] = []
  /** What is in trouble already: a node, PostgreSQL, S3. */
  const busy = new Set<unknown>()

  /** One node at least is left alone. */
  function findNode(kind: TroubleKind): HammerNode | undefined {
    const left = nodes.filter((node) => !busy.has(node))
    if (left.length < 2) return undefined
    if (kind === 'set a clock') return left.find((node) => node === nodes.at(-1))
    return random.pick(left)
  }

  function findVictim(kind: TroubleKind): unknown {
    if (kind.endsWith('PostgreSQL')) return busy.has(postgres) ? undefined : postgres
    if (kind.startsWith('S3')) return busy.has(proxy) ? undefined : proxy
    return findNode(kind)
  }

  async function make(kind: TroubleKind, victim: unknown): Promise<void> {
    const node = nodes.find((one) => one === victim)
    const began = performance.now()
    busy.add(victim)
    try {
      if (node) await troubleNode(kind, node)
      else if (victim === postgres) await troublePostgres(kind)
      else await troubleS3(S3_FATES[kind] ?? [])
    } finally {
      busy.delete(victim)
      troubles.push({ kind, node: node?.name, began, ended: performance.now() })
    }
  }

  async function troubleNode(kind: TroubleKind, node: HammerNode): Promise<void> {
    if (kind === 'stop a node' || kind === 'stop a node for long') {
      const [least, most] = kind === 'stop a node' ? [300, 5000] : LONG_STOP_MS
      node.stop()
      await pause(random.between(least, most))
      node.resume()
    } else if (kind === 'fill a disk') {
      await node.fillDisk()
      await pause(random.between(500, 5000))
      await node.clearDisk()
    } else if (kind === 'set a clock') {
      const minutes = random.between(1, 9) * (random.chance(0.5) ? 1 : -1)
      await node.setClock(minutes * MINUTE_MS)
      await pause(random.between(1500, 10_000))
      await node.setClock(0)
      // Its library looks once a second.
      await pause(1100)
    } else {
      const downMs = random.between(0, 3000)
      await (kind === 'end a node' ? node.terminate() : node.kill(kind === 'kill a machine'))
      await pause(downMs)
      await startAgain(node)
    }
  }

  /** What a node needs may be away, too: whoever looks after it starts it until it stands. */
  async function startAgain(node: HammerNode): Promise<void> {
    for (const end = performance.now() + START_PATIENCE_MS; ;) {
      try {
        return await node.start()
      } catch (error) {
        await node.kill(true)
        if (performance.now() > end) throw error
        await pause(START_AGAIN_MS)
      }
    }
  }

  async function troublePostgres(kind: TroubleKind): Promise<void> {
    const downMs = random.between(0, 3000)
    await (kind === 'crash PostgreSQL' ? postgres.crash() : postgres.halt())
    await pause(downMs)
    await postgres.resume()
  }

  async function troubleS3(fates: readonly Fate[]): Promise<void> {
    const part = random.pick([0.3, 0.6, 1])
    proxy.decide = () => {
      proxy.seen.length = 0
      return random.chance(part) ? random.pick(fates) : 'pass'
    }
    await pause(random.between(800, 6000))
    proxy.decide = () => {
      proxy.seen.length = 0
      return 'pass'
    }
  }

  return {
    troubles,
    run: async (isOver) => {
      const going = new Set<Promise<void>>()
      const failures: unknown[] = []
      while (!isOver() && failures.length === 0) {
        await pause(random.between(everyMs / 4, everyMs))
        const kind = random.weigh(weights)
        const victim = going.size < atOnce ? findVictim(kind) : undefined
        if (victim === undefined || isOver()) continue
        const one = make(kind, victim)
          .catch((error: unknown) => failures.push(error))
          .then(() => void going.delete(one))
        going.add(one)
      }
      await Promise.all(going)
      if (failures.length > 0) throw failures[0]
    },
  }
}
