import type { Deps } from '../../deps.ts'
import { announce, waitFor } from '../../live/wait-for.ts'
import { findCollection, type CollectionRecord } from '../collections/queries.ts'

const nameOf = (collectionId: number): string => `document of collection ${collectionId}`

export function announceDocument(collectionId: number): void {
  announce(nameOf(collectionId))
}

/**
 * Waits until the review document of what waits is there, or cannot be made.
 * @param timeoutMs At most this long.
 * @returns the collection as it is by then; undefined when it is gone.
 */
export async function awaitDocument(
  { reads, now }: Pick<Deps, 'reads' | 'now'>,
  collectionId: number,
  timeoutMs: number,
): Promise<CollectionRecord | undefined> {
  const look = () => findCollection(reads, collectionId, now())
  return waitFor(nameOf(collectionId), look, (seen) => seen?.document_state !== 'preparing', timeoutMs)
}
