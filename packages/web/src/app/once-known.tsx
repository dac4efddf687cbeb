import type { ReactNode } from 'react'
import { useSession } from '../lib/session.ts'
import { LoadingArea } from '../ui/spinner.tsx'

/**
 * What a mailed link opens, once it is known who is signed in: they are told so before the link is used up, and their frame would
 * make the screen anew, so that what became of the link would be lost.
 */
export function OnceKnown({ children }: { children: ReactNode }) {
  return useSession().phase === 'checking' ? <LoadingArea /> : children
}
