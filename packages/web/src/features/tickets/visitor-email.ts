import { Email } from '@proofdesk/contract/fields'
import { useSyncExternalStore } from 'react'

/** The address goes by itself: what it opens is decided by the cookie, which no script reads. */
const KEY = 'ticket-email'
const listeners = new Set<() => void>()

/** The address a visitor goes by in this browser; null before they gave one. */
export function useVisitorEmail(): string | null {
  return useSyncExternalStore(watchVisitorEmail, readVisitorEmail)
}

export function keepVisitorEmail(email: string): void {
  localStorage.setItem(KEY, email)
  for (const listener of listeners) listener()
}

export function forgetVisitorEmail(): void {
  localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

/** Whatever else may stand there counts as none. */
function readVisitorEmail(): string | null {
  return Email.safeParse(localStorage.getItem(KEY)).data ?? null
}

function watchVisitorEmail(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
