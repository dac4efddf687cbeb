import { useState } from 'react'

/**
 * The submission that decisions are on: the one that was on screen first, until its reviewer says that they have looked at
 * another.
 * @param shown Digest of what is on screen now; undefined while nothing waits, or while parts of two are shown.
 */
export function useLookedAt(shown: string | undefined) {
  const [lookedAt, setLookedAt] = useState(shown)
  if (lookedAt === undefined && shown !== undefined) setLookedAt(shown)
  return {
    lookedAt,
    isAnother: shown !== undefined && lookedAt !== undefined && shown !== lookedAt,
    lookAnew: () => setLookedAt(shown),
  }
}
