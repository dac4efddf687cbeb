import { EventEmitter, once } from 'node:events'
import type { Deps } from '../../deps.ts'
import { findProofState } from '../certificates/queries.ts'

/**
 * Wakes those who wait in this process. Only a hint: what counts is the row, and another process may be the one that
 * seals.
 */
const announcements = new EventEmitter().setMaxListeners(0)

/** How long a waiter trusts that it will be woken, in milliseconds: another process does not wake it. */
const LOOK_EVERY_MS = 1000

export function announceProof(proofRowId: number): void {
  announcements.emit(String(proofRowId))
}

/**
 * Waits until a claimed proof is published or withdrawn.
 * @param timeoutMs At most this long.
 * @returns its state by then.
 */
export async function waitForProof(
  { reads }: Pick<Deps, 'reads'>,
  proofRowId: number,
  timeoutMs: number,
): Promise<'claimed' | 'published' | 'withdrawn'> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    // Listens before it looks, so that nothing falls between the two.
    const waiting = new AbortController()
    const woken = once(announcements, String(proofRowId), { signal: waiting.signal }).catch(() => {})
    const timer = setTimeout(() => waiting.abort(), Math.min(LOOK_EVERY_MS, Math.max(0, deadline - performance.now())))
    try {
      const state = (await findProofState(reads, proofRowId)) ?? 'withdrawn'
      if (state !== 'claimed' || performance.now() >= deadline) return state
      await woken
    } finally {
      clearTimeout(timer)
      waiting.abort()
    }
  }
}
