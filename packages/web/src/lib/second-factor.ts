import { useSyncExternalStore } from 'react'
import { readSession, watchSession } from './session.ts'

let isDemanded = false
const listeners = new Set<() => void>()

/** Records that the server answers this person only once two-factor is set up, or does so again. */
export function setTwoFactorDemanded(next: boolean): void {
  if (isDemanded === next) return
  isDemanded = next
  for (const listener of listeners) listener()
}

export function useTwoFactorDemanded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isDemanded,
  )
}

// What holds for one person says nothing of the next.
watchSession(() => {
  if (readSession().phase === 'signed-out') setTwoFactorDemanded(false)
})
