import { createStore, useStore } from '../lib/store.ts'

const said = createStore('')

/** Has a sentence read out by the page's announcer: what has come, in a few words, where the whole of it would be too much. */
export function announce(sentence: string): void {
  said.write(sentence)
}

/** Stands on a page from its beginning, as a live region that comes with its text is often not read. */
export function Announcer() {
  return <output className="sr-only">{useStore(said)}</output>
}
