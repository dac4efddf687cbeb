import type { Limit } from './limit.ts'

/** What became of asking for a place: `seconds` until it is worth asking again, or a queue to wait in. */
export type Place = { kind: 'free' } | { kind: 'used_up'; seconds: number } | { kind: 'wait' }

/**
 * Failures of one key, and what is being looked at for it right now. Never more is looked at together than could fail
 * and still be allowed: so a burst of guesses gets no more tries than guesses one by one, and yet an attempt whose outcome
 * is not known yet counts as nothing. Who finds no place waits until an outcome is known.
 */
export interface Counter {
  /** Asks for a place without taking it. @param now Milliseconds. */
  ask(now: number): Place
  take(now: number): void
  /** Gives the place back, and lets those who wait ask again. */
  leave(now: number, hasFailed: boolean): void
  /** Counts one at once. @returns how many that makes. */
  add(now: number): number
  giveBack(): void
  /** Resolves when somebody has left. @returns undefined when too many wait already. */
  wait(): Promise<void> | undefined
  isIdle(now: number): boolean
}

/** Waiting costs next to nothing, but not nothing. */
const MAX_WAITING = 1000

/** Its time runs from the first failure. @param times How many times the points of the limit it has. */
export function openCounter(limit: Limit, times: number): Counter {
  const points = limit.points * times
  const durationMs = limit.duration * 1000
  const everyMs = (limit.thenEvery ?? 0) * 1000
  let failures = 0
  let endsAt = 0
  let inFlight = 0
  let nextLookAt = 0
  let waiting: (() => void)[] = []

  const refresh = (now: number) => {
    if (failures > 0 && now >= endsAt) failures = 0
  }
  const add = (now: number) => {
    refresh(now)
    if (failures === 0) endsAt = now + durationMs
    failures += 1
    return failures
  }
  return {
    ask(now) {
      refresh(now)
      const left = points - failures
      if (left > 0) return { kind: inFlight < left ? 'free' : 'wait' }
      const openAt = everyMs > 0 ? Math.min(nextLookAt, endsAt) : endsAt
      if (everyMs > 0 && now >= openAt) return { kind: inFlight === 0 ? 'free' : 'wait' }
      return { kind: 'used_up', seconds: Math.max(1, Math.ceil((openAt - now) / 1000)) }
    },
    take(now) {
      inFlight += 1
      nextLookAt = now + everyMs
    },
    leave(now, hasFailed) {
      inFlight -= 1
      if (hasFailed) add(now)
      const woken = waiting
      waiting = []
      for (const go of woken) go()
    },
    add,
    giveBack() {
      failures = Math.max(0, failures - 1)
    },
    wait() {
      if (waiting.length >= MAX_WAITING) return undefined
      return new Promise<void>((go) => waiting.push(go))
    },
    isIdle: (now) => inFlight === 0 && waiting.length === 0 && (failures === 0 || now >= endsAt),
  }
}
