import { isIP, isIPv6 } from 'node:net'
import { AppError } from '../errors.ts'
import { openCounter, type Counter } from './counter.ts'
import type { Limit } from './limit.ts'

/** A limit and whom it is counted for. */
export interface Count {
  limit: Limit
  key: string | number
  /** How many times the points of the limit this key has; one when absent. */
  times?: number
}

/** Something that was counted. */
export interface Attempt {
  forgive(): Promise<void>
}

export interface Limits {
  /**
   * Does what may fail under one or several limits. Only a failure counts, once it is known: a refusal of the caller's
   * own making, not of a busy or broken server. An attempt waits while others that are looked at could use its tries up.
   * @throws AppError `rate_limited` with the seconds to wait, when one of them is used up; whatever `work` throws.
   */
  watch<Result>(counts: readonly Count[], work: () => Promise<Result>): Promise<Result>
  /**
   * Counts a use from its beginning, whatever comes of it; `forgive` takes it back.
   * @throws AppError `rate_limited` when one of them is used up; then none is counted.
   */
  attempt(...counts: Count[]): Promise<Attempt>
  /** @throws AppError `rate_limited` when it is used up. */
  mustHaveLeft(count: Count): Promise<void>
  /** Counts one, whatever was counted before. */
  tally(count: Count): Promise<Tally>
}

/** Where one more stands: `last` is the very one that uses the limit up. */
export type Tally = 'within' | 'last' | 'beyond'

/** How often what has run out is forgotten. */
const SWEEP_EVERY_MS = 60_000

/**
 * Counts in this process's memory, where there is one process.
 * @param now Milliseconds of a clock that nobody sets.
 */
export function openLimits(now: () => number = () => performance.now()): Limits {
  const counters = new Map<Limit, Map<string, Counter>>()
  let sweptAt = now()

  function findCounter({ limit, key, times = 1 }: Count): Counter {
    if (now() - sweptAt > SWEEP_EVERY_MS) {
      sweptAt = now()
      for (const ofLimit of counters.values())
        for (const [id, counter] of ofLimit) if (counter.isIdle(sweptAt)) ofLimit.delete(id)
    }
    let ofLimit = counters.get(limit)
    if (!ofLimit) counters.set(limit, (ofLimit = new Map()))
    let counter = ofLimit.get(String(key))
    if (!counter) ofLimit.set(String(key), (counter = openCounter(limit, times)))
    return counter
  }

  function mustBeLeft(count: Count): void {
    const place = findCounter(count).ask(now())
    if (place.kind === 'used_up') throw new AppError('rate_limited', { retryAfterSeconds: place.seconds })
  }

  /** Takes all places or none, so that nobody holds one place while waiting for another. */
  async function takePlaces(counts: readonly Count[]): Promise<Counter[]> {
    for (;;) {
      for (const count of counts) mustBeLeft(count)
      const wanted = counts.map(findCounter)
      const busy = wanted.find((counter) => counter.ask(now()).kind === 'wait')
      if (!busy) {
        for (const counter of wanted) counter.take(now())
        return wanted
      }
      const turn = busy.wait()
      if (!turn) throw new AppError('rate_limited', { retryAfterSeconds: 1 })
      await turn
    }
  }

  return {
    watch: async (counts, work) => {
      const taken = await takePlaces(counts)
      let hasFailed = false
      try {
        return await work()
      } catch (error) {
        hasFailed = isOwnFailure(error)
        throw error
      } finally {
        for (const counter of taken) counter.leave(now(), hasFailed)
      }
    },
    attempt: async (...counts) => {
      for (const count of counts) mustBeLeft(count)
      const counted = counts.map(findCounter)
      for (const counter of counted) counter.add(now())
      return {
        forgive: async () => {
          for (const counter of counted) counter.giveBack()
        },
      }
    },
    mustHaveLeft: async (count) => mustBeLeft(count),
    tally: async (count) => judgeTally(count, findCounter(count).add(now())),
  }
}

/** @param made How many there are with it. */
export function judgeTally({ limit, times = 1 }: Count, made: number): Tally {
  const points = limit.points * times
  return made < points ? 'within' : made === points ? 'last' : 'beyond'
}

/** Who was refused for what they sent. Another limit, a busy server and a fault of ours are no failures of theirs. */
export function isOwnFailure(error: unknown): boolean {
  return error instanceof AppError && error.status < 500 && error.status !== 429
}

/**
 * A limit by client. An IPv4 address is one; of IPv6 a customer may have a /64, a /56 or a whole /48, so the wider
 * networks are counted too, with ten times as many. The widest first.
 * @param account Whom it is tried at, where the limit is for both.
 */
export function byClient(limit: Limit, address: string, account?: string | number): Count[] {
  const suffix = account === undefined ? '' : ` ${account}`
  const client = nameClient(address)
  const wider = nameWiderNetworks(client).map((network) => ({ limit, key: network + suffix, times: 10 }))
  return [...wider, { limit, key: client + suffix }]
}

/** One client for the limits: an IPv4 address, or the /64 that one IPv6 customer is usually given. */
export function nameClient(address: string): string {
  const bare = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return mapped
  if (!isIPv6(bare)) return isIP(bare) === 4 ? bare : 'unknown'
  // The URL parser writes every IPv6 address in one form, in hexadecimal only.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** @param client Of `nameClient`. @returns the /48 and the /56 around a /64, in that order; none around anything else. */
function nameWiderNetworks(client: string): string[] {
  const groups = client.endsWith('::/64') ? client.slice(0, -'::/64'.length).split(':') : []
  if (groups.length < 4) return []
  const [a, b, c, d = '0'] = groups
  const upper = (Number.parseInt(d, 16) & 0xff00).toString(16)
  return [`${a}:${b}:${c}::/48`, `${a}:${b}:${c}:${upper}::/56`]
}

/** Where somebody who comes again is likely to come from: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function nameNeighbourhood(client: string): string {
  return nameWiderNetworks(client)[0] ?? client.replace(/\.\d+$/, '.0/24')
}
