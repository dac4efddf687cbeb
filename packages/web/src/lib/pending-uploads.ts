import { readPersonId, watchPerson } from './session.ts'
import { createStore } from './store.ts'

/** Files that somebody chose for a collection and that are not in it. */
export interface Pending {
  /** On their way, or waiting for their turn. */
  moving: number
  /** On their way, to take the place of others. */
  replacing: number
  /** Chosen, and not sent yet, or in vain. */
  chosen: number
}

type PartsOfPending = ReadonlyMap<number, Partial<Pending>>

const NONE: Pending = { moving: 0, replacing: 0, chosen: 0 }

/** By who tells of them. */
const pending = createStore<{ added: PartsOfPending; replaced: PartsOfPending }>({
  added: new Map(),
  replaced: new Map(),
})
const stops = new Set<() => void>()

/** What leaves a collection or the tab asks here: the code that uploads is loaded with the screen that needs it. */
export function readPending(collectionId: number): Pending {
  const { added, replaced } = pending.read()
  return { ...NONE, ...added.get(collectionId), ...replaced.get(collectionId) }
}

/** @returns once nothing of a collection is on its way, or at the latest after so many ms */
export async function waitForUploads(collectionId: number, mostMs: number): Promise<void> {
  const isOver = () => !isMoving(readPending(collectionId))
  if (isOver()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, mostMs)
  const stopWatching = pending.watch(() => isOver() && resolve())
  await promise
  clearTimeout(timer)
  stopWatching()
}

export function isUploading(): boolean {
  const { added, replaced } = pending.read()
  return [...added.values(), ...replaced.values()].some(isMoving)
}

function isMoving({ moving = 0, replacing = 0 }: Partial<Pending>): boolean {
  return moving + replacing > 0
}

/** @param source Files to be added, or to take the place of others. */
export function writePending(source: 'added' | 'replaced', next: PartsOfPending): void {
  pending.write({ ...pending.read(), [source]: next })
}

// Whoever closes the tab would lose what is on its way.
pending.watch(() => {
  if (isUploading()) addEventListener('beforeunload', askBeforeLeaving)
  else removeEventListener('beforeunload', askBeforeLeaving)
})

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

/** @param run Ends all uploads of a kind and forgets them. */
export function onStopUploads(run: () => void): void {
  stops.add(run)
}

export function stopUploads(): void {
  for (const stop of stops) stop()
}

// Who signs in anew finds what did not arrive; somebody else finds nothing.
let owner = readPersonId()
watchPerson((next) => {
  if (next === undefined || next === owner) return
  if (owner !== undefined) stopUploads()
  owner = next
})
