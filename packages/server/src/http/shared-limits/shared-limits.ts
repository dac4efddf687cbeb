import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import {
  addCount,
  findStanding,
  leavePlace,
  takeCountBack,
  takePlace,
  type SharedCount,
  type Standing,
} from './queries.ts'
import { isOwnFailure, judgeTally, openLimits, type Count, type Limits } from '../limits.ts'

/** How long an attempt waits for others that other processes look at, and how often it asks, in milliseconds. */
const LONGEST_WAIT_MS = 10_000
const ASK_AGAIN_MS = 25

/**
 * Counts in the database, for all processes of an installation together: on PostgreSQL. Promises what `openLimits` does, over
 * all of them: a flood of guesses gets no more tries than guesses one by one, whichever processes it goes to.
 * @param longestWaitMs Tests of what waits in vain shorten it.
 */
export function openSharedLimits(db: Db, secrets: SecretBox, longestWaitMs = LONGEST_WAIT_MS): Limits {
  // Keeps attempts of this process in order, so that few ask the database; it is never told of a failure.
  const here = openLimits()

  /** Always in the same order: who takes several waits for nobody who waits for them. */
  const toShared = (counts: readonly Count[]): SharedCount[] =>
    counts
      .map(({ limit, key, times = 1 }) => ({
        key: `${limit.name} ${secrets.mac(String(key), 'limit')}`,
        limit,
        points: limit.points * times,
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))

  /** Takes a place in each or in none. @returns that which has none now */
  async function tryToTake(counts: readonly SharedCount[]): Promise<SharedCount | undefined> {
    const [only, ...others] = counts
    if (only === undefined) return undefined
    if (others.length === 0) return (await takePlace(db, only)) ? undefined : only
    return orNone(counts, takePlace)
  }

  async function takePlaces(counts: readonly SharedCount[]): Promise<void> {
    for (const end = performance.now() + longestWaitMs; ;) {
      const full = await tryToTake(counts)
      if (full === undefined) return
      await mustBeLeft(full)
      if (performance.now() >= end) throw new AppError('rate_limited', { retryAfterSeconds: 1 })
      await sleep(ASK_AGAIN_MS * (1 + Math.random()))
    }
  }

  async function leavePlaces(counts: readonly SharedCount[], hasFailed: boolean): Promise<void> {
    for (const count of counts) await leavePlace(db, count, hasFailed)
  }

  /** Adds to each or to none. @returns that which is full */
  async function orNone(
    counts: readonly SharedCount[],
    add: (transaction: Db, count: SharedCount) => Promise<boolean>,
  ): Promise<SharedCount | undefined> {
    const undo = new Error('one is full')
    let full: SharedCount | undefined
    await inTransaction(db, async (transaction) => {
      full = undefined
      for (const count of counts) {
        if (await add(transaction, count)) continue
        full = count
        throw undo
      }
    }).catch((error: unknown) => {
      if (error !== undo) throw error
    })
    return full
  }

  async function mustBeLeft(count: SharedCount): Promise<void> {
    const seconds = findWait(count, await findStanding(db, count))
    if (seconds !== undefined) throw new AppError('rate_limited', { retryAfterSeconds: seconds })
  }

  return {
    watch: async (counts, work) => {
      const shared = toShared(counts)
      const outcome = await here.watch(counts, async () => {
        await takePlaces(shared)
        const [result] = await Promise.allSettled([work()])
        const hasFailed = result.status === 'rejected' && isOwnFailure(result.reason)
        await leavePlaces(shared, hasFailed).catch((error: unknown) => {
          // What was done is done; its places are free again after a while.
          if (hasFailed) throw error
        })
        return result
      })
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
    attempt: async (...counts) => {
      const shared = toShared(counts)
      for (;;) {
        const full = await orNone(shared, async (on, count) => (await addCount(on, count, true)) !== undefined)
        if (full === undefined) break
        // Its time may have ended in between.
        await mustBeLeft(full)
      }
      return {
        forgive: async () => {
          for (const count of shared) await takeCountBack(db, count)
        },
      }
    },
    mustHaveLeft: async (count) => {
      const [shared] = toShared([count])
      if (shared) await mustBeLeft(shared)
    },
    tally: async (count) => {
      const [shared] = toShared([count])
      return judgeTally(count, (shared && (await addCount(db, shared, false))) ?? 0)
    },
  }
}

/** @returns seconds until it is worth asking again; undefined where some are left, if others that are looked at do not use them up */
function findWait({ limit, points }: SharedCount, standing: Standing | undefined): number | undefined {
  if (!standing || standing.failures < points) return undefined
  const opensAt = limit.thenEvery ? Math.min(standing.looks_again_at, standing.ends_at) : standing.ends_at
  if (limit.thenEvery && standing.now >= opensAt) return undefined
  return Math.max(1, Math.ceil((opensAt - standing.now) / 1000))
}
