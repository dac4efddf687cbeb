import { setTimeout as pause } from 'node:timers/promises'

/**
 * Spreads what happens often, so that what comes meanwhile can be done together; what happens now and then waits for nothing.
 * The generic cell rate algorithm of ITU-T I.371.
 * @param everyMs How far apart, where it goes on for long.
 * @param atOnce So many may come at once before that.
 * @param clock Milliseconds that only grow.
 * @returns what takes the next place, and says how long to wait for it, in milliseconds.
 */
export function openPace(everyMs: number, atOnce: number, clock = () => performance.now()): () => number {
  let next = 0
  return () => {
    const now = clock()
    const wait = Math.max(0, next - everyMs * (atOnce - 1) - now)
    next = Math.max(next, now) + everyMs
    return wait
  }
}

/** Not even a turn of the event loop where there is nothing to wait for. */
export async function pauseFor(ms: number): Promise<void> {
  if (ms > 0) await pause(ms)
}
