import { watchPerson } from './session.ts'
import { createStore, useStore } from './store.ts'

const isDemanded = createStore(false)

/** Records that the server answers this person only once two-factor is set up, or does so again. */
export const setTwoFactorDemanded = isDemanded.write

export function useTwoFactorDemanded(): boolean {
  return useStore(isDemanded)
}

// What holds for one person says nothing of the next.
watchPerson(() => setTwoFactorDemanded(false))
