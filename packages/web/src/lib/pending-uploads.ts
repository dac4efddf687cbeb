import { createStore } from './store.ts'

/** Files that somebody chose for a collection and that are not in it. */
export interface Pending {
  /** On their way, or waiting for their turn. */
  moving: number
  /** Chosen, and not sent yet, or in vain. */
  chosen: number
}

const NONE: Pending = { moving: 0, chosen: 0 }

const pending = createStore<ReadonlyMap<number, Pending>>(new Map())
let stop = (): void => {}

/** What leaves a collection or the tab asks here: the code that uploads is loaded with the screen that needs it. */
export function readPending(collectionId: number): Pending {
  return pending.read().get(collectionId) ?? NONE
}

/** @returns once nothing of a collection is on its way, or at the latest after so many ms */
export async function waitForUploads(collectionId: number, mostMs: number): Promise<void> {
  const isOver = () => readPending(collectionId).moving === 0
  if (isOver()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, mostMs)
  const stopWatching = pending.watch(() => isOver() && resolve())
  await promise
  clearTimeout(timer)
  stopWatching()
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
