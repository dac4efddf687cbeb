import { EventEmitter, once } from 'node:events'

/**
 * Wakes those who wait in this process. Only a hint: what counts is the row, and another process may be the one that
 * changes it.
 */
const announcements = new EventEmitter().setMaxListeners(0)

/** How long a waiter trusts that it will be woken, in milliseconds: another process does not wake it. */
const LOOK_EVERY_MS = 1000

/** @param name Of what has changed, such as `proof 7`. */
export function announce(name: string): void {
  announcements.emit(name)
}

/**
 * Looks at something whenever it was announced, until it is as it should be.
 * @param look Asks the database.
 * @param timeoutMs At most this long.
 * @returns what was seen last.
 */
export async function waitFor<T>(
  name: string,
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  timeoutMs: number,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    // Listens before it looks, so that nothing falls between the two.
    const waiting = new AbortController()
    const woken = once(announcements, name, { signal: waiting.signal }).catch(() => {})
    const timer = setTimeout(() => waiting.abort(), Math.min(LOOK_EVERY_MS, Math.max(0, deadline - performance.now())))
    try {
      const seen = await look()
      if (isDone(seen) || performance.now() >= deadline) return seen
      await woken
    } finally {
      clearTimeout(timer)
      waiting.abort()
    }
  }
}
