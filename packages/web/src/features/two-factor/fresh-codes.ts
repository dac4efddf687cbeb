import { readPersonId, watchPerson } from '../../lib/session.ts'
import { createStore, useStore } from '../../lib/store.ts'

/**
 * Recovery codes on their way to the profile. They live in memory alone, until the person has put them away:
 * history and storage would keep them.
 */
export const FRESH_CODES = createStore<readonly string[] | undefined>(undefined)

/** @param personId Whose they are: an answer may come when somebody else has signed in here. */
export function showFreshCodes(fresh: readonly string[], personId: number | undefined): void {
  if (personId === readPersonId()) FRESH_CODES.write(fresh)
}

export function forgetFreshCodes(): void {
  FRESH_CODES.write(undefined)
}

export function useFreshCodes(): readonly string[] | undefined {
  return useStore(FRESH_CODES)
}

// They are one person's: nobody else who signs in in this tab sees them.
watchPerson(forgetFreshCodes)
