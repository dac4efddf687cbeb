import type { QueryClient } from '@tanstack/react-query'
import type { SessionState } from '../lib/session.ts'

/** Nothing one person was shown stays for the next one in the same tab. */
export function forgetAnswersOnSignOut(
  queryClient: QueryClient,
  watch: (listener: () => void) => () => void,
  read: () => SessionState,
): void {
  let owner = idOf(read())
  watch(() => {
    const next = idOf(read())
    if (next !== owner && owner !== undefined) queryClient.clear()
    owner = next
  })
}

function idOf(session: SessionState): number | undefined {
  return session.phase === 'signed-in' ? session.user.id : undefined
}
