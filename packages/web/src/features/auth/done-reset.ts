import { createStore, useStore } from '../../lib/store.ts'

/** The reset that was done last in this tab. */
interface DoneReset {
  /** Of its link. */
  token: string
  username: string
}

/** Whoever is signed in is signed out by it, and the frame of visitors makes the screen anew: it must still know. */
const done = createStore<DoneReset | undefined>(undefined)

export const keepDoneReset: (reset: DoneReset) => void = done.write

/** @returns whose password was set by a link; undefined while it was not used here */
export function useDoneReset(token: string): string | undefined {
  const reset = useStore(done)
  return reset?.token === token ? reset.username : undefined
}
