import { createStore, useStore } from './store.ts'

/** The mailed link that was used last in this tab. */
interface DoneLink {
  token: string
  username: string
}

/** Whoever is signed in is signed out by some, and the frame of visitors makes the screen anew: it must still know. */
const done = createStore<DoneLink | undefined>(undefined)

export const keepDoneLink: (link: DoneLink) => void = done.write

/** @returns whom a link was used for; undefined while it was not used here */
export function useDoneLink(token: string): string | undefined {
  const link = useStore(done)
  return link?.token === token ? link.username : undefined
}
