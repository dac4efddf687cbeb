/** A clock that tests own. It runs with the real one until it is stopped. */
export interface TestClock {
  now: () => number
  /** Jumps forward. */
  advance(ms: number): void
  /** Stands still at this time, or at the present one, from here on. */
  stop(at?: number): void
}

export function makeClock(start?: number): TestClock {
  let offset = start === undefined ? 0 : start - Date.now()
  let stoppedAt: number | undefined
  const now = () => stoppedAt ?? Date.now() + offset
  return {
    now,
    advance: (ms) => {
      if (stoppedAt === undefined) offset += ms
      else stoppedAt += ms
    },
    stop: (at) => {
      stoppedAt = at ?? now()
    },
  }
}
