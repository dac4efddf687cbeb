import { GivenEmail } from '@proofdesk/contract/fields'
import { useSyncExternalStore } from 'react'
import { queryClient } from '../../lib/query-client.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'

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
  dropTickets()
}

/** What was shown of one address is not there for the next who gives it. */
function dropTickets(): void {
  queryClient.removeQueries({ queryKey: QUERY_KEYS.tickets })
}

// Forgotten in another tab, for as long as this one keeps answers: also where it shows something else by now.
addEventListener('storage', ({ key, newValue }) => {
  if (key === KEY && newValue === null) dropTickets()
})

/** Whatever else may stand there counts as none. */
function readVisitorEmail(): string | null {
  return GivenEmail.safeParse(localStorage.getItem(KEY)).data ?? null
}

function watchVisitorEmail(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
