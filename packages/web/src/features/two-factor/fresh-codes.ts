import { useSyncExternalStore } from 'react'
import { watchSession, readSession } from '../../lib/session.ts'

/**
 * Recovery codes on their way from the setup to the profile. They live in memory alone, until the person has put them away:
 * history and storage would keep them.
 */
let codes: readonly string[] | undefined
const listeners = new Set<() => void>()

export function showFreshCodes(fresh: readonly string[]): void {
  setCodes(fresh)
}

export function forgetFreshCodes(): void {
  setCodes(undefined)
}

export function useFreshCodes(): readonly string[] | undefined {
  return useSyncExternalStore(watchCodes, () => codes)
}

function watchCodes(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setCodes(next: readonly string[] | undefined): void {
  codes = next
  for (const listener of listeners) listener()
}

// They are one person's: nobody else who signs in in this tab sees them.
let owner = readOwner()
watchSession(() => {
  const next = readOwner()
  if (next !== owner) forgetFreshCodes()
  owner = next
})

function readOwner(): number | undefined {
  const session = readSession()
  return session.phase === 'signed-in' ? session.user.id : undefined
}
