type Wake = () => void

/**
 * Those who wait in this process, by what for. Waking them is only a hint: what counts is the row, and another process may be the
 * one that changes it.
 */
const waiting = new Map<string, Set<Wake>>()

/** How long a waiter trusts that it will be woken, in milliseconds: another process does not wake it. */
const LOOK_EVERY_MS = 1000

/** @param name Of what has changed, such as `proof 7`. */
export function announce(name: string): void {
  for (const wake of waiting.get(name) ?? []) wake()
}

/**
 * Looks at something whenever it was announced, until it is as it should be.
 * @param look Asks the database.
 * @param timeoutMs At most this long.
 * @param known What it was a moment ago. Then nobody looks before it is announced, so it must not have been announced yet.
 * @returns what was seen last.
 */
export async function waitFor<T>(
  name: string,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  timeoutMs: number,
  known?: T,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (let before = known; ; before = undefined) {
    // Listens before it looks, so that nothing falls between the two.
    const { woken, stop } = listen(name, Math.min(LOOK_EVERY_MS, Math.max(0, deadline - performance.now())))
    try {
      const seen = before ?? (await look())
      if (isDone(seen) || performance.now() >= deadline) return seen
      await woken
    } finally {
      stop()
    }
  }
}

/** @returns `woken`: that it was announced, or that the time is over; and what ends it. */
function listen(name: string, forMs: number): { woken: Promise<void>; stop: () => void } {
  const { promise: woken, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, forMs)
  const here = waiting.get(name) ?? new Set()
  waiting.set(name, here.add(resolve))
  const stop = () => {
    clearTimeout(timer)
    here.delete(resolve)
    if (here.size === 0 && waiting.get(name) === here) waiting.delete(name)
  }
  return { woken, stop }
}
