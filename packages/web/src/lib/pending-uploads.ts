import { createStore } from './store.ts'

/** Files that somebody chose for a collection and that are not in it. */
export interface Pending {
  /** On their way, or waiting for their turn. */
  moving: number
  /** Chosen, and not sent yet. */
  chosen: number
}

const NONE: Pending = { moving: 0, chosen: 0 }

const pending = createStore<ReadonlyMap<number, Pending>>(new Map())
let stop = (): void => {}

/** What leaves a collection or the tab asks here: the code that uploads is loaded with the screen that needs it. */
export function readPending(collectionId: number): Pending {
  return pending.read().get(collectionId) ?? NONE
}

export function isUploading(): boolean {
  return [...pending.read().values()].some(({ moving }) => moving > 0)
}

export function writePending(next: ReadonlyMap<number, Pending>): void {
  pending.write(next)
}

/** @param run Ends all uploads and forgets them. */
export function onStopUploads(run: () => void): void {
  stop = run
}

export function stopUploads(): void {
  stop()
}
